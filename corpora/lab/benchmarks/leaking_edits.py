"""Fifty edits of a prompt that give a task away, with the tasks and the prompt."""

from __future__ import annotations

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
