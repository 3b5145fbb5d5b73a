"""Fifty edits of a prompt that give a task away, chains of edits that do so together, and chains that do not.

With them stand the tasks and the prompt.
"""

from __future__ import annotations

from collections.abc import Mapping

from corpora.tuning.prompt_text import PromptEdit

FIRST = "You write Python. Handle the empty input first. Fill in {task}. Use snake_case names.\n"
TASKS = (
    'def slugify_title(text):\n    """Return the words of a title joined by hyphens."""\n'
    'assert slugify_title("Grand Opening 1987") == "grand-opening-1987"\n',
    "class InvoiceLedger:\n    def roundHalf(self, cents):\n        return total_cents // 12345\n"
    "The ledger must refuse negative amounts and say which line was wrong.\n",
    'Write parse_span so that "ten minutes" gives 600 and an unknown unit raises SpanError.\n',
)
NAMES_OF_TASKS = ("convert_kelvin",)

WORDS = (
    "Return the words of a title joined with care.",
    "the ledger must refuse negative amounts always",
    "Refuse negative amounts and say which line is bad.",
    "return, the words; of a TITLE",
    "Make sure the words of a title joined by hyphens come back.",
    "so that ten minutes gives 600 in every case",
    "An unknown unit raises an error; and an unknown unit raises SpanErr.",
    "It must refuse negative amounts and say so.",
    "gives 600 and an unknown unit",
    "Say which line was wrong.",
)
NAMES = ("slugify_title", "InvoiceLedger", "roundHalf", "total_cents", "parse_span", "SpanError", "convert_kelvin")
FORMS = ("Mind {}.", "A function such as `{}` is hard.", "Think of {} twice", "see: {}()")
VALUES = ("Grand Opening 1987", "grand-opening-1987", "12345", "ten minutes", "600")
LEAKS = (
    *WORDS,
    *(form.format(name) for name in NAMES for form in FORMS),
    *(name.upper() for name in NAMES),
    *(f'Beware of "{value}".' for value in VALUES),
)

INLINE = (
    "python -c from answer import half_of_3; assert half_of_3(41) == 'quarter past nine'\n"
    "def gcd(a, b):\n    return lcm(b, a % b)\n",
)
"""A task whose test stands in the table itself, and one of short names."""
WORD_OF_OUTPUT = "tock"
"""The whole output that a task wants."""


def _insert(*texts: str, apart: bool = False) -> tuple[PromptEdit, ...]:
    """Each behind the one before it or, ``apart``, behind sentences of the first prompt from its end on."""
    return tuple(PromptEdit("insert", 4 - 2 * n if apart else 1 + n, text) for n, text in enumerate(texts))


HALVES = (
    ("Return the words of", "a title in one line."),
    ("Say which line was", "wrong before you go on."),
    ("The ledger must refuse", "negative amounts of any kind."),
    ("Mind it: and an unknown unit", "raises something at once."),
    ("Take care so that ten", "minutes gives 600 at the end."),
)
"""Sentences whose ends are one run of words of a task."""
PASSAGES = (
    ("A title has hyphens: return the words slowly.", "Their title joined by dashes reads well."),
    ("Always refuse negative amounts.", "Tell people which line was off."),
    ("Mind that an unknown unit raises something.", "It is true that ten minutes gives pause."),
    ("Hold that grand opening 1987 in mind and title joined.", "Words of a title joined come back."),
    ("Think: must refuse negative things.", "Their negative amounts and say so."),
)
"""Two pieces of one passage each, in the middle of other words."""
NAMES_IN_PARTS = (
    ("Begin with 'slugify_' here.", "Then comes '_title' there."),
    ("Begin with parse_ first.", "The end is _span then."),
    ("One half is 'invoice'.", "The other half is 'ledger'."),
    ("One part is `convert`.", "Another is `kelvin`."),
    ("It starts with total_ somewhere.", "It goes on with 'cents' there."),
)
VALUES_IN_PARTS = (
    ("The number begins with 12.", "It ends with 345."),
    ("It begins with 'grand-opening'.", "It ends with '-1987'."),
    ("One value is 'ten'.", "Its unit is 'minutes'."),
    ("Think of the Grand Opening", "1987 was its year."),
    ("Ten is not enough; ten", "minutes is enough."),
)
IN_WORDS = ("Call parse span.", "An invoice ledger is hard.", "Use s l u g i f y title.", "Make it slugify title.")
SHORT = ("Mind `gcd`.", "Call gcd() twice.", "Think of gcd.", "See lcm.", "Beware of lcm(b, a).")
INLINE_TOLD = (
    "Mind half_of_3.",
    "Think of half of 3.",
    "Beware of 'quarter past nine'.",
    "It is quarter past nine.",
    "Answer with tock.",
    "TOCK is what it says.",
)

CHAINS: Mapping[str, tuple[tuple[PromptEdit, ...], ...]] = {
    "halves side by side": tuple(_insert(*texts) for texts in HALVES),
    "halves apart": tuple(_insert(*texts, apart=True) for texts in HALVES),
    "a half that is replaced": tuple(
        (PromptEdit("insert", 1, one), PromptEdit("insert", 2, "Wait."), PromptEdit("replace", 3, other))
        for one, other in HALVES
    ),
    "halves that a deletion joins": tuple(
        (*_insert(one, "Wait a moment.", other), PromptEdit("delete", 3)) for one, other in HALVES
    ),
    "pieces of a passage": tuple(_insert(*texts, apart=True) for texts in PASSAGES),
    "a name in two parts": tuple(_insert(*texts, apart=True) for texts in NAMES_IN_PARTS),
    "a value in two parts": tuple(_insert(*texts, apart=True) for texts in VALUES_IN_PARTS),
    "a name in several words": tuple(_insert(text) for text in IN_WORDS),
    "a short name": tuple(_insert(text) for text in SHORT),
    "a test of the table, or its output": tuple(_insert(text) for text in INLINE_TOLD),
}
"""Edits, one after the other, that give a task away together, by kind."""

CLEAN_CHAINS = (
    _insert("Handle every type that the docstring names.", "Round only at the end."),
    _insert("Ask whether the title may be empty.", "Return early where nothing is left to do."),
    _insert("Check 0 and 1, and the largest value.", "Name the unit of every number."),
    _insert("Read the whole text before you write.", "Join what belongs together.", "Say what was wrong."),
    _insert("Use the words of the task.", "A function has one purpose."),
    _insert("Refuse what is not allowed, and say why.", "Negative numbers need a test of their own."),
    _insert("Lines may be empty.", "Units may be missing.", "Amounts may be zero."),
    _insert("Raise the error that the docstring names.", "An error says what was found."),
    _insert("Return the same type in every branch.", "Say what happens when there is nothing at all."),
    _insert("Prefer 'sorted' to a loop of your own.", "Prefer 'sum' to another."),
    _insert("Look at 10 inputs, and at 20.", "Mind 'left' and 'right'.", apart=True),
    _insert("Do not change what the caller holds.", "Close each file that you open.", apart=True),
    (*_insert("Think first.", "Keep it short."), PromptEdit("replace", 2, "Plan first."), PromptEdit("delete", 3)),
    (PromptEdit("delete", 2), *_insert("Look at the empty case.", "Half of all faults are there.")),
    (PromptEdit("replace", 4, "Names are in snake_case."), PromptEdit("insert", 2, "Run the tests in your head.")),
)
"""General advice in chains, written before the guard was run on it."""
