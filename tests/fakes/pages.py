"""Pages of HTML, read strictly: each element closed where it was opened, nothing fetched, no script that runs."""

from __future__ import annotations

import itertools
import json
import re
from html.parser import HTMLParser
from typing import Any

VOID = frozenset(("meta", "br", "hr", "img", "link", "input"))
SHAPES = frozenset(("line", "rect", "circle", "polyline"))
"""Elements of a picture; those that hold nothing close themselves."""

BLOCKS = frozenset(("div", "details", "pre", "table", "ul", "ol", "p", "section", "article", "h2", "h3", "h4"))
INLINE = frozenset(("span", "code", "b", "ins", "del", "a"))
FETCHING = frozenset(("src", "href", "action", "data", "poster", "srcset", "background", "xlink:href"))


class Page(HTMLParser):
    """What a page holds; an ``AssertionError`` where it is not well-formed."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.data = ""
        self.feed(text)
        self.close()
        assert self.open == [], f"never closed: {self.open}"
        self._check_outline()
        self._check_addresses(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        names = dict(attributes)
        assert len(names) == len(attributes), f"an attribute twice: {attributes}"
        assert not any(name.startswith("on") for name in names), attributes
        assert not ("p" in self.open and tag in BLOCKS), f"<{tag}> within <p>"
        self.tags.append((tag, names))
        if tag == "script":
            assert names in [{"type": "application/json", "id": each} for each in ("repair-result", "repair-tests")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag in SHAPES, tag
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1:] == [tag], f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()
        if tag not in INLINE:
            self.texts.append(" ")

    def handle_data(self, data: str) -> None:
        inner = self.open[-1] if self.open else ""
        if inner == "script":
            self.data += data
        elif inner != "style":
            self.texts.append(data)

    @property
    def text(self) -> str:
        """What a reader sees, with single spaces."""
        return " ".join("".join(self.texts).split())

    @property
    def result(self) -> Any:
        """The result that lies in the page."""
        return json.loads(self.data)

    def ids(self) -> list[str]:
        """All anchors."""
        return [str(names["id"]) for _, names in self.tags if "id" in names]

    def count(self, tag: str) -> int:
        """How many elements of that name there are."""
        return sum(name == tag for name, _ in self.tags)

    def _check_outline(self) -> None:
        """What a reader who hears the page goes by: one header and one main part, and headings that skip no level."""
        assert (self.count("main"), self.count("header"), self.count("h1")) == (1, 1, 1)
        levels = [int(tag[1]) for tag, _ in self.tags if len(tag) == 2 and tag[0] == "h" and tag[1].isdigit()]
        assert levels[0] == 1
        for above, below in itertools.pairwise(levels):
            assert below <= above + 1, f"<h{below}> follows <h{above}>"
        assert self.count("title") >= 1
        assert ("html", {"lang": "en"}) in self.tags

    def _check_addresses(self, text: str) -> None:
        ids = self.ids()
        assert len(ids) == len(set(ids)), sorted(each for each in ids if ids.count(each) > 1)
        for tag, names in self.tags:
            assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form"), tag
            for name in FETCHING & names.keys():
                address = str(names[name])
                assert address.startswith("#"), address
                assert address[1:] in ids, address
        style = "".join(re.findall(r"<style>(.*?)</style>", text, re.DOTALL))
        assert "url(" not in style
        assert "@import" not in style
