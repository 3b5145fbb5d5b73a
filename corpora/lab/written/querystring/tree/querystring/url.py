"""URLs that can be changed piece by piece."""

from dataclasses import dataclass, replace as copy

from querystring.query import build_query, get, parse_query, replace, without


@dataclass(frozen=True)
class Url:
    base: str
    pairs: tuple = ()
    fragment: str = ""

    @classmethod
    def parse(cls, text):
        text, _, fragment = text.partition("#")
        base, _, query = text.partition("?")
        return cls(base, tuple(parse_query(query)), fragment)

    def param(self, name, default=None):
        return get(self.pairs, name, default)

    def with_param(self, name, value):
        return copy(self, pairs=tuple(replace(self.pairs, name, value)))

    def without_params(self, *names):
        return copy(self, pairs=tuple(without(self.pairs, *names)))

    def page(self):
        """Number of the page; 1 if there is none or it is no number."""
        try:
            return max(1, int(self.param("page", "1")))
        except ValueError:
            return 1

    def next_page(self):
        return self.with_param("page", self.page() + 1)

    def __str__(self):
        text = self.base
        if self.pairs:
            text += "?" + build_query(self.pairs)
        if self.fragment:
            text += "#" + self.fragment
        return text
