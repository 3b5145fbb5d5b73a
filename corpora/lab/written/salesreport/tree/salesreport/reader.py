import csv
import io


class BadFile(ValueError):
    pass


def read_rows(text, required=()):
    """Rows of a CSV text as dicts, cells stripped, blank lines skipped."""
    reader = csv.DictReader(io.StringIO(text.strip()))
    header = [h.strip() for h in reader.fieldnames or []]
    missing = [c for c in required if c not in header]
    if missing:
        raise BadFile("missing column(s): " + ", ".join(missing))
    reader.fieldnames = header
    rows = []
    for raw in reader:
        row = {k: (v or "").strip() for k, v in raw.items() if k is not None}
        if any(row.values()):
            rows.append(row)
    return rows


def number(text):
    """A cell as a number; None for an empty cell."""
    text = text.replace(",", "").strip()
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        raise BadFile(f"not a number: {text!r}") from None
