"""Field-by-field differences between two versions of a record."""

MISSING = object()


def diff_record(old, new):
    """Return {field: (old value, new value)} of the fields that differ.

    A field absent on one side has MISSING there.
    """
    changes = {}
    for key in list(old) + [k for k in new if k not in old]:
        a = old.get(key, MISSING)
        b = new.get(key, MISSING)
        if a != b:
            changes[key] = (a, b)
    return changes


def index_by(records, key):
    table = {}
    for record in records:
        if record[key] in table:
            raise ValueError(f"duplicate {key}: {record[key]!r}")
        table[record[key]] = record
    return table


def diff_tables(old, new, key="id"):
    """Compare two lists of records. Returns (added, removed, changed)."""
    a = index_by(old, key)
    b = index_by(new, key)
    added = [b[k] for k in b if k not in a]
    removed = [a[k] for k in a if k not in b]
    changed = {k: diff_record(a[k], b[k]) for k in a if k in b and a[k] != b[k]}
    return added, removed, changed
