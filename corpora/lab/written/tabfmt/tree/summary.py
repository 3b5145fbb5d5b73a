from cells import is_number
from table import Table


def totals(table, columns):
    """Sums of the given columns, ignoring cells that are not numbers."""
    return {c: sum(v for v in table.column(c) if is_number(v)) for c in columns}


def group_by(table, key, column):
    """A new table with one row per distinct `key` and the sum of `column`."""
    sums = {}
    for k, v in zip(table.column(key), table.column(column)):
        sums[k] = sums.get(k, 0) + (v if is_number(v) else 0)
    out = Table([key, column])
    for k, v in sums.items():
        out.add(k, v)
    return out
