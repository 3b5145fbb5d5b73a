"""Look up dotted names in nested tables."""


def find(table, name):
    """The value under ``a.b.c``; the default where it is not there."""
    value = table
    for part in name.split("."):
        if not isinstance(value, dict) or part not in value:
            return None
        value = value[part]
    return value


def names(table, prefix=""):
    """All dotted names, sorted."""
    found = []
    for key, value in table.items():
        found += names(value, f"{prefix}{key}.") if isinstance(value, dict) else [f"{prefix}{key}"]
    return sorted(found)
