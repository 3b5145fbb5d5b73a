"""What a packet may tell of a bug: one small pure function a fact, from what is known to a text."""
