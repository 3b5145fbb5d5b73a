"""Commands about corpora, which join the ``repair`` command."""
