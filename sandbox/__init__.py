"""The only place where target code runs."""
