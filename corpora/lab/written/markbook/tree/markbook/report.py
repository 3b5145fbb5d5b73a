def line(book, student):
    total = book.total(student)
    shown = "  --" if total is None else f"{total:5.1f}"
    return f"{student:<12}{shown:>6} {book.letter(student)}"


def report(book):
    lines = [line(book, student) for student in book.students()]
    average = book.class_average()
    if average is not None:
        lines.append(f"{'average':<12}{average:6.1f}")
    return "\n".join(lines)


def ranking(book):
    """[(place, student)], the best first; equal totals share a place.

    Students without a total are left out.
    """
    rated = [(book.total(s), s) for s in book.students()]
    rated = sorted((r for r in rated if r[0] is not None), key=lambda r: (-r[0], r[1]))
    result = []
    for index, (total, student) in enumerate(rated):
        if index and total == rated[index - 1][0]:
            place = result[-1][0]
        else:
            place = index + 1
        result.append((place, student))
    return result
