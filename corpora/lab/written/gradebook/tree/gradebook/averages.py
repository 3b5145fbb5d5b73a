"""Averages of categories and the course total."""


def counted(category, scores):
    """The scores that count: without the excused ones and without the
    ``drop_lowest`` lowest percentages. At least one score always stays."""
    kept = sorted((s for s in scores if not s.excused), key=lambda s: s.percent)
    drop = min(category.drop_lowest, len(kept) - 1)
    return kept[drop:] if drop > 0 else kept


def category_average(category, scores):
    """Mean percentage, or None when nothing counts."""
    used = counted(category, scores)
    if not used:
        return None
    return sum(s.percent for s in used) / len(used)


def course_total(categories, scores_by_category):
    """The weighted percentage over all categories, rounded to two places.

    A category without any counted score is left out and the other weights
    share its part. None when no category has scores.
    """
    total = 0.0
    weights = 0.0
    for category in categories:
        average = category_average(category, scores_by_category.get(category.name, []))
        weights += category.weight
        if average is None:
            continue
        total += average * category.weight
    if weights == 0:
        return None
    return round(total / weights, 2)
