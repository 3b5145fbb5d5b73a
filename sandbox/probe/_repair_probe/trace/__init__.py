"""What ran: lines, functions, and values at chosen lines."""
