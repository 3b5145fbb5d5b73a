"""Facts that a project states in its types, docstrings, documents, interfaces and tests, each with its source."""
