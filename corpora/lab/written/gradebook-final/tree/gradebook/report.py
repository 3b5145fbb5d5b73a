"""CSV in and out."""
import csv
import io


def read_scores(book, file):
    """Read 'student,assignment,points[,late]' rows; 'ex' as points excuses."""
    for row in csv.reader(file):
        if not row or row[0].startswith("#"):
            continue
        student, title, points, *rest = [cell.strip() for cell in row]
        book.record(student, title, None if points == "ex" else points,
                    late=bool(rest and rest[0] == "late"))


def write_report(book):
    """One row per student: averages by category, final percentage and letter."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [c.name for c in book.categories]
    writer.writerow(["student", *names, "final", "letter"])
    for student in book.students:
        row = [student]
        for name in names:
            average = book.category_average(student, name)
            row.append("" if average is None else f"{average:.1f}")
        final = book.final_percent(student)
        row += ["" if final is None else str(final), book.final_letter(student)]
        writer.writerow(row)
    return out.getvalue()


def class_average(book):
    """Mean of the final percentages of all students who have one."""
    finals = [book.final_percent(s) for s in book.students]
    finals = [f for f in finals if f is not None]
    return sum(finals) / len(finals) if finals else None
