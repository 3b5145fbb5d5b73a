"""Import of bank statements in CSV form."""
