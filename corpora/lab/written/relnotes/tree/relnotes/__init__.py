"""Version numbers and changelogs."""
