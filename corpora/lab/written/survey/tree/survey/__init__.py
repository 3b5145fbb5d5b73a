"""Small helpers to summarise survey answers."""
