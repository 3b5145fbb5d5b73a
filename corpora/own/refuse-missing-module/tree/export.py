"""Notes as text."""


def as_lines(notes):
    return [f"{title}: {text}" for title, text in sorted(notes.items())]


def as_document(notes):
    """A document in the format of a library that has to be installed."""
    import notedocs_writer

    writer = notedocs_writer.Writer()
    for line in as_lines(notes):
        writer.add(line)
    return writer.render()
