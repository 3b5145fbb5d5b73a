from ranges import parse_range
from refs import cell_name, parse_cell


class Sheet:
    """Numbers in cells and sums over ranges."""

    def __init__(self):
        self._values = {}

    def __setitem__(self, ref, value):
        self._values[parse_cell(ref)] = value

    def __getitem__(self, ref):
        return self._values.get(parse_cell(ref), 0)

    def values(self, ref):
        return [self._values.get(c, 0) for c in parse_range(ref).cells()]

    def total(self, *refs):
        """Sum over several ranges; a cell that is in two of them counts twice."""
        return sum(sum(self.values(r)) for r in refs)

    def fill(self, ref, start=1, step=1):
        """Number the cells of the range."""
        value = start
        for cell in parse_range(ref).cells():
            self._values[cell] = value
            value += step

    def used(self):
        return sorted((cell_name(c) for c, v in self._values.items() if v), key=lambda n: (len(n), n))
