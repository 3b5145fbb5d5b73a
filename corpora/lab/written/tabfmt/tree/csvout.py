"""CSV output, RFC 4180 style: CRLF line ends, quotes only where needed."""


def quote(text, delimiter=","):
    """Quote a field if it needs quoting."""
    if delimiter in text or '"' in text:
        return '"' + text.replace('"', '""') + '"'
    return text


def raw(value):
    # unlike in the text report, numbers are not grouped or rounded
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def render_csv(table, delimiter=",", header=True):
    if len(delimiter) != 1:
        raise ValueError("delimiter must be one character")
    rows = [[raw(v) for v in row] for row in table.rows]
    if header:
        rows.insert(0, table.headers)
    return "".join(
        delimiter.join(quote(cell, delimiter) for cell in row) + "\r\n" for row in rows
    )
