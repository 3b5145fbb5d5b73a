"""Pure reading and counting: text and values in, frozen records out."""
