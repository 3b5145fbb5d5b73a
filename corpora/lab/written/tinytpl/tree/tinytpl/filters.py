import html

FILTERS = {
    "upper": lambda v: str(v).upper(),
    "lower": lambda v: str(v).lower(),
    "trim": lambda v: str(v).strip(),
    "escape": lambda v: html.escape(str(v)),
    "count": len,
}
