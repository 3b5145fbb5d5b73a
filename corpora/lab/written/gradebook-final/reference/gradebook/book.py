"""The grade book of one course."""
from decimal import ROUND_HALF_UP, Decimal

from .models import Assignment, Category, Score

LETTERS = [("A", 90), ("B", 80), ("C", 70), ("D", 60)]
LATE_FACTOR = Decimal("0.9")


def letter(percent):
    """A to F for a percentage; '-' if there is none yet."""
    if percent is None:
        return "-"
    for name, limit in LETTERS:
        if percent >= limit:
            return name
    return "F"


class GradeBook:
    def __init__(self, course):
        self.course = course
        self._categories = {}
        self._assignments = {}
        self._scores = {}       # student -> {title: Score}

    def add_category(self, name, weight, drop_lowest=0):
        weight = Decimal(weight)
        used = sum(c.weight for c in self._categories.values())
        if weight <= 0 or used + weight > 100:
            raise ValueError("weights must be positive and at most 100 in all")
        self._categories[name] = Category(name, weight, drop_lowest)

    def add_assignment(self, title, category, max_points=100):
        if category not in self._categories:
            raise KeyError(category)
        self._assignments[title] = Assignment(title, category, Decimal(max_points))

    def add_student(self, student):
        self._scores.setdefault(student, {})

    @property
    def students(self):
        return sorted(self._scores)

    @property
    def categories(self):
        return list(self._categories.values())

    def record(self, student, title, points, late=False):
        """Enter a score; ``None`` for the points excuses the student."""
        assignment = self._assignments[title]
        if points is not None:
            points = Decimal(points)
            if points < 0:
                raise ValueError("points must not be negative")
            points = min(points, assignment.max_points)
        self.add_student(student)
        self._scores[student][title] = Score(points, late)

    def percents(self, student, category):
        """Percentages of the graded work of a student in a category, unrounded.

        Excused work and work without a score does not count. Late work loses a
        tenth.
        """
        result = []
        for title, score in self._scores[student].items():
            assignment = self._assignments[title]
            if assignment.category != category or score.excused:
                continue
            percent = score.points / assignment.max_points * 100
            result.append(percent * LATE_FACTOR if score.late else percent)
        return result

    def category_average(self, student, category):
        """Average in a category, unrounded; None if nothing is graded in it.

        The lowest results are dropped as the category says, but one always stays.
        """
        percents = sorted(self.percents(student, category))
        if not percents:
            return None
        drop = min(self._categories[category].drop_lowest, len(percents) - 1)
        kept = percents[drop:]
        return sum(kept) / len(kept)

    def final_percent(self, student):
        """Weighted average over the categories, rounded half up to one digit.

        Categories in which the student has nothing graded are left out, and
        only the weights of the others count in proportion. None if nothing is
        graded at all.
        """
        total = Decimal(0)
        weights = Decimal(0)
        for category in self._categories.values():
            average = self.category_average(student, category.name)
            if average is not None:
                total += average * category.weight
                weights += category.weight
        if not weights:
            return None
        percent = total / weights
        return percent.quantize(Decimal("0.1"), rounding=ROUND_HALF_UP)

    def final_letter(self, student):
        return letter(self.final_percent(student))
