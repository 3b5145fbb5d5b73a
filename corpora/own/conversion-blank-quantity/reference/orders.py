"""Order sheets as people fill them in."""


def quantity(text):
    """A count as written: thousands separated by commas or spaces; nothing written is 0, ``-`` too."""
    plain = text.replace(",", "").replace(" ", "")
    if plain in ("", "-"):
        return 0
    return int(plain)


def parse_sheet(text):
    """{article: count} of lines ``article; count``; lines that begin with ``#`` are remarks."""
    found = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        article, _, count = line.partition(";")
        found[article.strip()] = found.get(article.strip(), 0) + quantity(count.strip())
    return found


def missing(sheet, needed):
    """What a sheet orders less of than is needed: {article: how many}."""
    return {article: count - sheet.get(article, 0) for article, count in needed.items() if sheet.get(article, 0) < count}
