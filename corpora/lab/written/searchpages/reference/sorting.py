def parse_sort(text):
    """'-price,name' -> [('price', True), ('name', False)]; True is descending."""
    keys = []
    for part in text.split(","):
        part = part.strip()
        if not part:
            continue
        descending = part.startswith("-")
        keys.append((part.lstrip("+-"), descending))
    return keys


def sort_results(results, text):
    """Return the results sorted by several keys, the first is the main one.

    Results without a value for a key (missing or None) come last for that
    key, whichever the direction. Equal results keep their order. The list
    given is not changed.
    """
    ordered = list(results)
    for key, descending in reversed(parse_sort(text)):
        present = [r for r in ordered if r.get(key) is not None]
        absent = [r for r in ordered if r.get(key) is None]
        present.sort(key=lambda r: r[key], reverse=descending)
        ordered = present + absent
    return ordered
