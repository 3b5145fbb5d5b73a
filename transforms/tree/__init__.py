"""The tree of one function: its text opened, its nodes addressed, what is put in their place, and its text again."""
