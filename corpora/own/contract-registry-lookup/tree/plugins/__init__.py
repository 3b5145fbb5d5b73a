"""Plugins by name."""
