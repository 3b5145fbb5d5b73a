"""Forked processes: how they are made and watched, and what they share or leave behind."""
