"""Cell names: "B3" is column 2, row 3."""
import re


def split(ref):
    column, row = re.fullmatch(r"([A-Z]+)([1-9]\d*)", ref).groups()
    number = 0
    for letter in column:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number, int(row)


def join(column, row):
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row}"


def cells_between(first, last):
    """All names in the rectangle with these two corners (any two), row by row."""
    (c1, r1), (c2, r2) = split(first), split(last)
    return [
        join(c, r)
        for r in range(min(r1, r2), max(r1, r2) + 1)
        for c in range(min(c1, c2), max(c1, c2) + 1)
    ]


def references(tree):
    """Names of all cells a parsed formula reads."""
    kind = tree[0]
    if kind == "num":
        return set()
    if kind == "ref":
        return {tree[1]}
    if kind == "func":
        return set(cells_between(tree[2], tree[3]))
    return set().union(*(references(part) for part in tree[1:]))
