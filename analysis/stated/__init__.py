"""Facts that a function's author wrote down: sentences with values and kinds, annotations."""
