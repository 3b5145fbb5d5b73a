from markbook.scheme import Scheme


class MarkBook:
    """Scores of the students of one course.

    A score is kept as points out of a maximum. None means excused: the score
    does not count at all.
    """

    def __init__(self, scheme: Scheme):
        self.scheme = scheme
        self._scores = {}  # student -> category -> [percent or None]

    def enrol(self, student):
        self._scores.setdefault(student, {})

    def students(self):
        return sorted(self._scores)

    def record(self, student, category, points, out_of=100):
        if category not in self.scheme.categories:
            raise KeyError(category)
        if student not in self._scores:
            raise KeyError(student)
        percent = None if points is None else 100 * points / out_of
        self._scores[student].setdefault(category, []).append(percent)

    def percents(self, student, category):
        """The student's scores that count."""
        scores = self._scores[student].get(category, [])
        return [s for s in scores if s is not None]

    def total(self, student):
        """The weighted mean of the category averages, in percent.

        Weights are relative and need not add up to anything in particular.
        Categories in which the student has no scores that count are left out, as
        if the course did not have them. None when nothing counts yet.
        """
        total = 0
        weights = 0
        for category in self.scheme.categories.values():
            percents = self.percents(student, category.name)
            if percents:
                weights += category.weight
                total += category.weight * category.average(percents)
        if weights == 0:
            return None
        return total / weights

    def letter(self, student):
        return self.scheme.letter(self.total(student))

    def class_average(self):
        """Mean of the totals of those students who have one; None when nobody has."""
        totals = [t for t in map(self.total, self.students()) if t is not None]
        return sum(totals) / len(totals) if totals else None
