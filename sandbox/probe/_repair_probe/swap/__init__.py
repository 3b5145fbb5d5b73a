"""One function's new text, put into the live program or in place of its file."""
