"""Operators over every place of a function, as one lazy stream of proposals, the likeliest first."""
