"""Healing of generated tests."""
