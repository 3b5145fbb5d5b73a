"""Meeting room bookings."""
