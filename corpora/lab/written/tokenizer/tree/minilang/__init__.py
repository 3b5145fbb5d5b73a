"""A tokenizer for a small configuration language."""
