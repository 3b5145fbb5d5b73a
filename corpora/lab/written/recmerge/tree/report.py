from diffing import MISSING


def show(value):
    return "-" if value is MISSING else repr(value)


def format_changes(changes):
    """One line a field, in the order of names."""
    return [f"{name}: {show(old)} -> {show(new)}" for name, (old, new) in sorted(changes.items())]


def summary(added, removed, changed):
    parts = []
    for label, things in (("added", added), ("removed", removed), ("changed", changed)):
        if things:
            parts.append(f"{len(things)} {label}")
    return ", ".join(parts) or "no changes"
