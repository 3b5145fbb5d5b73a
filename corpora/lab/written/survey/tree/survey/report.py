"""Plain text reports."""

from survey.histogram import bin_counts, bin_labels, mean, median


def bar(count, largest, width=20):
    if largest == 0:
        return ""
    return "#" * round(width * count / largest)


def histogram_lines(values, edges, width=20):
    """One line per bin: label, bar and count."""
    counts = bin_counts(values, edges)
    labels = bin_labels(edges)
    pad = max(len(label) for label in labels)
    largest = max(counts)
    return [
        f"{label:<{pad}} {bar(count, largest, width)} {count}".replace("  ", " ")
        for label, count in zip(labels, counts)
    ]


def summary(survey, question):
    values = survey.values(question)
    if not values:
        return f"{question}: no answers"
    return (
        f"{question}: n={len(values)} mean={mean(values):.2f} "
        f"median={median(values):g}"
    )
