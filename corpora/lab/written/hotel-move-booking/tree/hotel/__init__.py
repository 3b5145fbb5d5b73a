"""Bookings of a small hotel, kept in SQLite."""
