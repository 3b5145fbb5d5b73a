"""What an edit can be built from: names, expressions and statements within reach, and the kinds of their values."""
