"""How a course is graded."""

DEFAULT_BANDS = [(90, "A"), (80, "B"), (70, "C"), (60, "D"), (0, "F")]


class Category:
    def __init__(self, name, weight, drop_lowest=0):
        if weight < 0:
            raise ValueError("weights cannot be negative")
        self.name = name
        self.weight = weight
        self.drop_lowest = drop_lowest

    def average(self, percents):
        """Mean without the dropped lowest scores; at least one score is always kept."""
        keep = max(1, len(percents) - self.drop_lowest)
        best = sorted(percents, reverse=True)[:keep]
        return sum(best) / len(best)


class Scheme:
    def __init__(self, categories, bands=None):
        self.categories = {c.name: c for c in categories}
        self.bands = sorted(bands or DEFAULT_BANDS, reverse=True)

    def letter(self, percent):
        if percent is None:
            return "-"
        for limit, letter in self.bands:
            if percent >= limit:
                return letter
        return self.bands[-1][1]
