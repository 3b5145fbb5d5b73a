"""The commands of the ``repair`` group, by theme."""
