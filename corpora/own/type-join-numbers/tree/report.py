"""Rows of a report as tab-separated text."""


def cell(value):
    """One value as text: nothing for None, two digits for floats."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.2f}"
    return str(value).replace("\t", " ")


def row(values):
    return "\t".join(cell(value) for value in values)


def footer(columns, rows):
    """Sums of the numeric columns, under the word that the first column holds."""
    sums = []
    for number, _ in enumerate(columns[1:], 1):
        numbers = [r[number] for r in rows if isinstance(r[number], (int, float))]
        sums.append(sum(numbers) if numbers else None)
    return "\t".join(["total", *sums])


def table(columns, rows):
    """The whole report; a footer where there is more than one row."""
    lines = [row(columns), *(row(each) for each in rows)]
    if len(rows) > 1:
        lines.append(footer(columns, rows))
    return "\n".join(lines) + "\n"
