"""A change of a function: made from replacement nodes or from text, printed, measured, taken apart, compared."""
