"""Families of edit operators, grouped by theme."""
