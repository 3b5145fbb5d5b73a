"""Text cut to a width."""


def truncate(text, width, mark="…"):
    """The text in at most ``width`` characters; what is cut off is shown by the mark."""
    if width < len(mark):
        raise ValueError(f"no room for {mark!r} in {width}")
    if len(text) <= width:
        return text
    return text[:width].rstrip() + mark


def middle(text, width, mark="…"):
    """The same, cut in the middle: head and tail stay, the head one longer where they cannot be equal."""
    if len(text) <= width:
        return text
    kept = width - len(mark)
    head = (kept + 1) // 2
    tail = kept - head
    return text[:head] + mark + (text[-tail:] if tail else "")


def columns(values, widths):
    return " ".join(f"{truncate(value, width):<{width}}" for value, width in zip(values, widths)).rstrip()
