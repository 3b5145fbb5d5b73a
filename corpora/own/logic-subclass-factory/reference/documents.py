"""Documents that are read from text with a header."""


class Document:
    """A title and a body."""

    kind = "document"

    def __init__(self, title, body=""):
        self.title = title
        self.body = body

    @classmethod
    def parse(cls, text):
        """From text whose first line is the title."""
        title, _, body = text.partition("\n")
        return cls(title.strip(), body.strip("\n"))

    def render(self):
        return f"[{self.kind}] {self.title}\n{self.body}"

    def __eq__(self, other):
        return type(other) is type(self) and (self.title, self.body) == (other.title, other.body)


class Letter(Document):
    """A document with an addressee, named in its title after a colon."""

    kind = "letter"

    @property
    def addressee(self):
        return self.title.partition(":")[2].strip() or None


def parse_all(text, kinds=(Document, Letter)):
    """Documents separated by lines of dashes, each after a line that names its kind."""
    by_name = {kind.kind: kind for kind in kinds}
    found = []
    for part in text.split("\n---\n"):
        name, _, rest = part.partition("\n")
        found.append(by_name[name.strip()].parse(rest))
    return found
