from salesreport.reader import number


def group_rows(rows, key):
    groups = {}
    for row in rows:
        groups.setdefault(row[key] or "(none)", []).append(row)
    return groups


def summarise(rows, key, column):
    """Figures of ``column`` for each value of ``key``.

    Each group gets ``rows`` (how many rows it has), ``total``, ``average``
    and ``best``. Empty cells are not a sale: they count as a row but for
    nothing else. A group with no sale at all has None for average and best.
    """
    result = {}
    for name, members in group_rows(rows, key).items():
        values = [number(row[column]) for row in members]
        values = [v for v in values if v is not None]
        total = sum(values)
        result[name] = {
            "rows": len(members),
            "total": total,
            "average": total / len(values) if values else None,
            "best": max(values, default=None),
        }
    return result


def ranking(summary, figure="total", top=None):
    """Group names, the highest figure first; ties by name, None last."""
    def order(name):
        value = summary[name][figure]
        return (value is None, -(value or 0), name)
    names = sorted(summary, key=order)
    return names if top is None else names[:top]
