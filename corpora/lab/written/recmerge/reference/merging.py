from diffing import MISSING, diff_record, index_by


class Conflict(Exception):
    def __init__(self, fields):
        super().__init__(", ".join(sorted(fields)))
        self.fields = fields


def merge_record(base, mine, theirs, prefer=None):
    """Three-way merge of one record.

    A field changed on one side only takes that side's value (or goes away,
    when that side removed it). The same change on both sides is no conflict.
    Different changes of one field are a conflict: with ``prefer`` "mine" or
    "theirs" that side wins, otherwise Conflict is raised with all such fields.
    The three records are left as they are.

    >>> merge_record({"a": 1, "b": 2}, {"a": 5, "b": 2}, {"a": 1, "b": 7})
    {'a': 5, 'b': 7}
    """
    ours = diff_record(base, mine)
    other = diff_record(base, theirs)
    conflicts = {}
    result = dict(mine)
    for field, (_, value) in other.items():
        if field in ours:
            if ours[field] == other[field]:
                continue
            conflicts[field] = (ours[field][1], value)
            if prefer == "mine":
                continue
        if value is MISSING:
            result.pop(field, None)
        else:
            result[field] = value
    if conflicts and prefer is None:
        raise Conflict(conflicts)
    return result


def merge_tables(base, mine, theirs, key="id", prefer=None):
    """Merge lists of records; new ones of both sides are added, mine first.

    A record that either side removed is dropped, unless the other side
    changed it; then the changed one stays.
    """
    b, m, t = (index_by(x, key) for x in (base, mine, theirs))
    merged = []
    for k in list(b) + [k for k in m if k not in b] + [k for k in t if k not in b and k not in m]:
        if k in m and k in t:
            merged.append(merge_record(b.get(k, {}), m[k], t[k], prefer))
        elif k in m:
            if k not in b or m[k] != b[k]:
                merged.append(dict(m[k]))
        elif k in t:
            if k not in b or t[k] != b[k]:
                merged.append(dict(t[k]))
    return merged
