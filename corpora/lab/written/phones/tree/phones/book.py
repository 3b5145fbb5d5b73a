from .normalise import BadNumber, normalise


class PhoneBook:
    """Names by number; the same number is never stored twice."""

    def __init__(self, country="DE"):
        self.country = country
        self._names = {}

    def __len__(self):
        return len(self._names)

    def add(self, name, number):
        """True if the number is new."""
        key = normalise(number, self.country)
        new = key not in self._names
        self._names.setdefault(key, name)
        return new

    def find(self, number):
        try:
            return self._names.get(normalise(number, self.country))
        except BadNumber:
            return None

    def load(self, lines):
        """Add lines of 'name;number'; returns the lines that are no good."""
        bad = []
        for line in lines:
            name, _, number = line.partition(";")
            try:
                self.add(name.strip(), number)
            except BadNumber:
                bad.append(line)
        return bad

    def __iter__(self):
        return iter(sorted((name, key) for key, name in self._names.items()))
