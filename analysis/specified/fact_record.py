"""One fact of a project with its source: what is said of whom, by which words, where, and who read it there.

A fact is data: subject, predicate, part, condition and value are text, so that it can be stored, shown and compared.
What can be decided for a call is kept beside it as a ``StatedFact``.
"""

from __future__ import annotations

import enum
import hashlib
import re
from dataclasses import dataclass, field

from analysis.stated.fact import StatedFact


class Predicate(enum.StrEnum):
    """All that a fact can say; nothing else is a fact."""

    RETURNS = "returns"
    """The call, or each call under the condition, gives this value."""
    RAISES = "raises"
    NEVER = "never"
    """No such call raises this."""
    TYPE = "type"
    """The kinds of a parameter, a field or (without a part) of the result: ``int | None``."""
    ENUM = "enum"
    """All values that there are, as a sorted row of literals."""
    RANGE = "range"
    """A bound of a number: ``>= 0``, ``< 10``."""
    LENGTH = "length"
    """A bound of the number of items or letters."""
    REQUIRED = "required"
    """``True`` where it has to be given, ``False`` where it may be left out."""
    DEFAULT = "default"
    STATUS = "status"
    """The codes that an operation answers with."""
    ORDER = "order"
    """``ascending`` or ``descending``."""
    IDEMPOTENT = "idempotent"
    """Twice gives what once gives."""
    ROUND_TRIP = "roundtrip"
    """The function named undoes this one."""
    EQUALS = "equals"
    """Gives what the function named gives."""
    SEEN = "seen"
    """Ends that calls were seen to have: kinds and exceptions."""
    STATES = "states"
    """A requirement's sentence that no other predicate holds; a person or a test has to read it."""


class Extractor(enum.StrEnum):
    """Who read the fact; the values are what people see."""

    ANNOTATION = "annotation"
    TYPED_DICT = "TypedDict"
    DATACLASS = "dataclass"
    ENUMERATION = "enum"
    PYDANTIC = "pydantic"
    SIGNATURE = "signature"
    DOCSTRING = "docstring"
    DOCTEST = "doctest"
    GHERKIN = "gherkin"
    MARKDOWN = "markdown"
    OPENAPI = "openapi"
    TEST = "test"
    COMMIT = "commit"
    SEEN = "seen"
    """The probe, while the suite ran."""
    READER = "model"
    """A model, by a sentence that it quotes; see ``known_by`` for whether a person agreed."""


class KnownBy(enum.StrEnum):
    """How the words became a fact."""

    PARSED = "parsed"
    MODEL = "model"
    PERSON = "person"


_DIGEST_LETTERS = 12


def quote_digest(quote: str) -> str:
    """The fingerprint of a quote: the same for the same words, however they are broken into lines."""
    return hashlib.sha256(" ".join(quote.split()).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_LETTERS]


@dataclass(frozen=True, slots=True)
class QuotePlace:
    """Lines of a file of the project."""

    path: str
    line: int
    end_line: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" + (f"-{self.end_line}" if self.end_line > self.line else "")


@dataclass(frozen=True, slots=True)
class Fact:
    """What is said, of whom, and by which words.

    ``subject`` is ``path:name`` of a function or class; of an operation, schema or requirement that nothing binds, its
    own name. ``part`` is a parameter or a field. ``when`` is the condition in words; empty where it always holds.
    """

    subject: str
    predicate: Predicate
    value: str
    place: QuotePlace
    quote: str
    extractor: Extractor
    part: str = ""
    when: str = ""
    requirement: str = ""
    """The id of the requirement that says so: ``REQ-7``."""
    known_by: KnownBy = KnownBy.PARSED
    sure: bool = True
    """Whether the words name what they speak of; else they may be read otherwise."""
    means: StatedFact | None = field(default=None, compare=False, repr=False)
    """The same, as a call can be held against it."""

    @property
    def digest(self) -> str:
        """The fingerprint of the quote."""
        return quote_digest(self.quote)

    @property
    def id(self) -> str:
        """The same as long as the same words in the same file say the same: it does not move with the line."""
        said = (self.subject, self.predicate, self.part, self.when, self.value, self.place.path, self.digest)
        return (
            f"F-{hashlib.sha256('|'.join((*said, self.extractor)).encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"
        )

    @property
    def claim(self) -> str:
        """What it says, in one line: ``total(prices) returns 0 when prices is empty``."""
        name = f"{self.subject}({self.part})" if self.part else self.subject
        when = f" when {self.when}" if self.when else ""
        return f"{name} {self.predicate.value} {self.value}".rstrip() + when

    def cite(self) -> str:
        """The words with their place and fingerprint."""
        return f'{self.place} says "{shortened(self.quote)}"'


_LONGEST_QUOTE = 160


def shortened(quote: str) -> str:
    """The quote on one line, cut where it is long."""
    line = " ".join(quote.split())
    return line if len(line) <= _LONGEST_QUOTE else f"{line[: _LONGEST_QUOTE - 1]}…"


REQUIREMENT_ID = r"(?<![\w-])(?:[A-Z][A-Z0-9]*(?:-[A-Z][A-Z0-9]*)*-\d+(?:\.\d+)*)(?![\w-])"
"""How a requirement is called: ``REQ-7``, ``US-12``, ``AC-3.1``, ``SHOP-PAY-4``."""

_NO_REQUIREMENT = re.compile(r"^(?:UTF|ISO|RFC|PEP|SHA|MD|CVE|HTTP|TLS|SSL|GB|BCP|IEEE|ASCII|X|CP|KOI|EUC|BIG|TIS)-\d")


def requirement_ids(text: str) -> tuple[str, ...]:
    """The ids of requirements in a text, without what standards and encodings are called: ``UTF-8`` is none."""
    found = dict.fromkeys(re.findall(REQUIREMENT_ID, text))
    return tuple(each for each in found if not _NO_REQUIREMENT.match(each))
