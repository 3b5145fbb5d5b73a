"""Values as text, copied, and varied: no code of the target is called but what a value itself brings."""
