from .averages import course_total
from .scores import Score

LETTERS = [(90, "A"), (80, "B"), (70, "C"), (60, "D")]


def letter(percent):
    for bound, name in LETTERS:
        if percent >= bound:
            return name
    return "F"


class Gradebook:
    def __init__(self, categories):
        self.categories = list(categories)
        names = [c.name for c in self.categories]
        if len(set(names)) != len(names):
            raise ValueError("category names must differ")
        self._scores = {}

    def record(self, student, category, name, points, out_of=100, excused=False):
        """Record a score; a later score of the same name replaces it."""
        if category not in {c.name for c in self.categories}:
            raise KeyError(category)
        if out_of <= 0:
            raise ValueError("out_of must be positive")
        works = self._scores.setdefault(student, {}).setdefault(category, [])
        works[:] = [s for s in works if s.name != name]
        works.append(Score(name, points, out_of, excused))

    def total(self, student):
        return course_total(self.categories, self._scores.get(student, {}))

    def grade(self, student):
        total = self.total(student)
        return "-" if total is None else letter(total)

    def ranking(self):
        """Students with a total, best first; equal totals by name."""
        rows = [(s, self.total(s)) for s in self._scores]
        return sorted((r for r in rows if r[1] is not None), key=lambda r: (-r[1], r[0]))
