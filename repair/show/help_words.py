"""What each word of an answer means, and what to do about it: the one place where this is written.

``repair help WORD`` shows a word on one screen, and `docs/words.md` is made of the same texts. What a check looks for
stands in the check itself, and is read from there.
"""

from __future__ import annotations

import difflib
import inspect
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from repair.checks.catalog import EVERY, MEASURED, SUPPORTS
from repair.checks.check import Check
from repair.checks.weights import shipped_weights
from repair.records.result import EXIT_CODES
from repair.show.status_words import STATUSES

PAGE = "docs/words.md"

KINDS = {
    "status": "How a run, or a patch, ends: the first word of every answer",
    "gate": "A question about a patch, answered yes, no or unknown",
    "class": "What kind of failure it is; `class/subclass` stands behind each failing test",
    "subclass": "Refines a class of failures",
    "doubt": "A kind of reason to withhold a certificate; each has a weight in the risk",
    "measure": "What is measured of every patch and has a weight in the risk, for it or against it",
    "exit": "The exit status of a command",
    "word": "Other words that answers use",
}
"""The kinds of words, in the order in which they are listed."""


@dataclass(frozen=True, slots=True)
class AnswerWord:
    """One word: what it ``means``, and what to do where an answer says it."""

    name: str
    kind: str
    means: str
    todo: str = ""

    @property
    def title(self) -> str:
        """The heading of the word on the page: ``gate behaviour``."""
        return f"{self.kind} {self.name}"

    @property
    def anchor(self) -> str:
        """Where it stands on the page: ``docs/words.md#gate-behaviour``. It stays as it is."""
        return f"{PAGE}#{self.title.replace(' ', '-')}"


GATES = {
    "shape": (
        "Is the edit of a kind that this class of failure calls for? Are signature, decorators, guards and raises "
        "kept? "
        "Does it leave dead code?",
        "No: the edit does what no fix of this class may do. A doubt is weighed in the risk: see whether the guard "
        "or the "
        "statement that it names may really go.",
    ),
    "capability": (
        "Does the new text reach for something new (files, processes, introspection), or answer the failing tests' own "
        "values?",
        "Replace the special case by what the function is meant to compute; or say by a test that the new reach is "
        "meant.",
    ),
    "test_quality": (
        "Is there a failing test that says something: real assertions, which ran, and which run this function?",
        "Write an assertion about what the function gives. `repair tests` says what is wrong with a test.",
    ),
    "fixes": (
        "Does the target's interpreter compile it, and do all failing tests pass in a fresh copy?",
        "No: the change does not mend the tests. Unknown: no test failed before, so none shows what it mends; write "
        "one.",
    ),
    "regressions": (
        "Does every other test give what it gave before, and is none missing or new?",
        "No: the test that it names passed and now fails. Mend the change, or change the test if it asks for the "
        "old fault.",
    ),
    "controls": (
        "Does the failure come back each time, and do the tests notice when the function is sabotaged, or when they "
        "are "
        "made to ask for the impossible?",
        "Tests that notice nothing vouch for nothing: add an assertion on what the function returns.",
    ),
    "coverage": (
        "Does a failing test run the change, and does some test run each line that reads what the change binds "
        "otherwise?",
        "Write a test that runs the line that it names, or take that part of the change out.",
    ),
    "stability": (
        "Do the vouching tests pass again, in shuffled order, and the whole suite where that is quick?",
        "A test that fails now and then, or in another order, has to be mended first.",
    ),
    "mutation": (
        "Do the tests notice small faults in what the patch wrote, and need every part and restriction of it? It is "
        "weighed: a mutant that no input tells from the patch is no doubt.",
        "Its witness is an input that no test asks about. Answer by a test whether the patch is right there.",
    ),
    "behaviour": (
        "On recorded and generated calls: where do old and new differ, which other programs that pass differ too, "
        "and does "
        "one call always give one answer? It is weighed.",
        "Its witness is the input on which programs that pass the tests part. Say what is meant there: `--answer`, "
        "or a "
        "test.",
    ),
    "static": (
        "Does Ruff find no undefined name and no fatal flaw in the file that it did not find before?",
        "Mend what it names. Without a `ruff` at hand it says unknown, which withholds nothing under standard gates.",
    ),
    "rules": (
        "Does the patch keep to the rules in `repair-rules.toml`: no forbidden pattern more often than before, and "
        "each test that holds a rule passes?",
        "Mend what it names, or change the rule by itself: a change may not edit the rules that it is judged by.",
    ),
    "types": (
        "Does the project's own mypy or pyright find nothing in the file that it did not find before? Asked under "
        "`--gates strict`.",
        "Mend what it names.",
    ),
    "cost": (
        "Does the patch do at most ten times the work on the tests' calls, and grow no more steeply on larger ones?",
        "Look for a loop in a loop, or a copy in each turn, that the old function did not have.",
    ),
    "callers": (
        "Of a change that no failing test asks for: on which calls do callers get something else, and which changed "
        "lines "
        "does no test run?",
        "Say by a test that what changes is meant. Where nothing changes, it accepts.",
    ),
    "signature": (
        "Of a change that calls the function otherwise: does each call that worked mean the same, and does the project "
        "call it as before?",
        "Change the calls that were left behind, give new parameters a default, and test what is new.",
    ),
    "changed_tests": (
        "Of a change that edits tests: do their old forms pass on the new program, too?",
        "No or unknown: what the old test asked for is gone. Say in review that this is meant: no gate can.",
    ),
}

CLASSES = {
    "format": "A module cannot be parsed, or its own code outside of functions raises: no function to patch.",
    "contract": "An input or an exception is not what was promised. An edit may touch validation, exception type "
    "and text.",
    "runtime_safety": "An unsafe access: None, index, key, division, name, type. An edit may add a guard or a "
    "default, or "
    "change one expression.",
    "logic": "A wrong result. An edit may touch arithmetic, conditions and expressions.",
    "environment": "Not the program's fault: the machine or the installation is.",
    "test_defect": "Not the program's fault: the test's own code is.",
}

SUBCLASSES = {
    "syntax": "a file is no Python",
    "module": "what a module does when it is imported fails",
    "import": "a name is imported that is not there",
    "missing_raise": "an exception was expected and none came",
    "wrong_raise": "another exception came than the test expects",
    "unexpected_raise": "an exception of the program came where none was expected",
    "message": "the exception is right and its text is not",
    "assertion": "an assertion in the program fails",
    "signature": "a call does not fit the function's parameters",
    "exit": "the program ends the process",
    "name": "a name is not defined",
    "unbound": "a local name is read before it is bound",
    "none": "something is None that is used as if it were not",
    "attribute": "an object has no such attribute",
    "type": "an operation meets a wrong type",
    "key": "a mapping has no such key",
    "index": "a sequence has no such index",
    "empty": "an operation meets an empty collection",
    "unpack": "values and names do not match in number",
    "division": "a division by zero",
    "overflow": "a number is too large",
    "conversion": "a text cannot be converted",
    "file": "a file is missing, or is not what it should be",
    "iteration": "an iteration ends, or its collection changes, too early",
    "other": "another exception of this class",
    "text": "a wrong text",
    "wrong_value": "a wrong value",
    "timeout": "it does not end in its time",
    "network": "it needs the network, which tests do not have here",
    "missing_module": "a module is not installed",
    "missing_file": "a file of the machine is not there",
    "fixture": "a fixture is missing or fails",
    "system": "the system refuses something",
    "unknown": "nothing more is known of it",
    "test_code": "the test's own code fails",
}

DOUBTS = {
    "nothing_compared": "No call of the function could be repeated outside of its test, so old and new were not "
    "compared.",
    "old_unknown": "No call of the old function came to an answer that could be compared.",
    "rival_unknown": "Another patch passes the same tests, and could not be compared with this one.",
    "few_inputs": "Fewer than five inputs could be tried that reach the change.",
    "other_function": "A patch of another function passes the same tests: nothing says which function is at fault.",
    "rivals_unsought": "The time was up before other patches that pass were looked for to the end.",
    "unrun_line": "The patch brings in a line that no test and no input runs.",
    "apart": "The patch behaves otherwise where nothing looks like a test.",
    "broken_example": "An example in the function's docstring does not hold with the patch.",
    "fault_elsewhere": "A model that did not see the patch would mend another function.",
    "mutants_not_run": "A part of what the patch wrote is run by no test that vouches, so its mutants were not run.",
    "mutants_lost": "Most mutants were no programs, or crashed: nothing is known of what the tests would notice.",
    "no_mutants": "There is no mutant of what the patch wrote, so nothing was asked of the tests.",
    "survivors_uncompared": "Mutants survive the tests, and could not be compared with the patch.",
    "lost_guard": "A condition or a raise of the old function is gone.",
    "unread_parameter": "A parameter is not read any more.",
    "repeated_statement": "A statement stands twice in a row.",
    "dead_code": "A statement can no longer be reached.",
    "walks_copy": "A copy of a collection is walked over, and its elements are called.",
    "sorted_choice": "A collection is put in another order for a loop that is left at its first hit.",
    "only_reorders": "Statements only change places, in a function that did not reach its end.",
}

EXITS = {
    0: ("Accepted, or done.", ""),
    1: ("It ran, and nothing was accepted; or a file is no longer what the run read.", "The answer's word says why."),
    2: ("Usage or configuration.", "The message says what to write instead; `--help` lists options."),
    3: ("The target cannot be tested, or the system refuses.", "`repair doctor` says what this machine can do."),
    4: ("The model's backend.", "Check key, address and budget."),
    5: ("Nothing fails.", "`--allow-no-failure` makes it 0."),
    70: ("A defect of repair.", "Run again with `--debug` and report the traceback."),
    129: ("The terminal ended. No project file was changed.", ""),
    130: ("Interrupted by Ctrl-C. No project file was changed.", ""),
    141: ("Whoever read the output has left.", ""),
    143: ("Ended by SIGTERM. No project file was changed.", ""),
}

OTHERS = {
    "yes": ("A gate accepts: it saw what it asks for.", ""),
    "unknown": (
        "A gate could not tell, or has a doubt. Unknown never certifies.",
        "Its claim says what was missing: time, a test, a call that can be repeated, an answer.",
    ),
    "no": ("A gate rejects. One is enough: the patch is rejected, and later gates are not asked.", ""),
    "risk": (
        "How likely a patch is not what its author meant, although it passed: one number from all doubts and "
        "measures. A certificate takes 2 % at most (`--risk` lowers that). Weights were learned on patches "
        "known to be right or wrong; that of a feature which none of them had is set by hand, and said to be "
        "so. The number is a model's; beside it stands what was counted among judged patches that it rates "
        "alike. Which of them are wrong it cannot say. Of one right and one wrong patch the right one had the "
        "smaller risk in 69 of 100 pairs, and in 47 of 100 where the projects had been sealed until then "
        "(2026-11-24). With a find of the search stands how many certificates were wrong in programs that no "
        "rule knew. So look at the calls that change first.",
        "`-v` names the largest parts, `risk.shares` in JSON all, and `risk.by_hand` those whose weight nobody "
        "learned. Answer the question: it is the one that takes most.",
    ),
    "question": (
        "What would settle the largest doubt: an input, and what this patch and another program that passes do with "
        "it.",
        "Give the right one with `--answer`, or write it down as a test: `-v` prints the test.",
    ),
    "answer": (
        "What a person says with `--answer`: a test of this run alone. To keep it, write it into the project's tests.",
        "",
    ),
    "rival": (
        "Another program that passes the same tests as the patch: another edit, a mutant, the patch without a part. "
        "The "
        "tests leave open which of them is meant.",
        "A test on an input where they differ turns it away.",
    ),
    "witness": ("A concrete input, or a test, that shows a doubt.", "Look whether what the patch does there is meant."),
    "nobody": (
        "No failing test, no example of a docstring and no person says that this call should change.",
        "See whether that change is meant; a test says so for good.",
    ),
    "beyond": (
        "An edit that is not of the kinds that its class of failure calls for. It is no sin, and raises the risk.",
        "",
    ),
    "within": ("An edit of the kinds that its class of failure calls for.", ""),
    "refused": ("An edit that no class may do: another signature (of ours), a guard or raise that vanishes.", ""),
}


def words() -> Iterator[AnswerWord]:
    """All words, in the order of their kinds."""
    yield from (AnswerWord(str(status), "status", *texts) for status, texts in STATUSES.items())
    yield from (AnswerWord(gate, "gate", *texts) for gate, texts in GATES.items())
    yield from (AnswerWord(name, "class", text) for name, text in CLASSES.items())
    yield from (AnswerWord(name, "subclass", f"{text[0].upper()}{text[1:]}.") for name, text in SUBCLASSES.items())
    for check in EVERY:
        yield AnswerWord(check.name, "doubt", _describe_check(check), "The witness shows it; see `question`.")
    yield from (AnswerWord(name, "doubt", text) for name, text in DOUBTS.items())
    for support in SUPPORTS:
        yield AnswerWord(
            support.name, "measure", " ".join((inspect.getdoc(inspect.getmodule(support.find)) or "").split())
        )
    yield from (AnswerWord(name, "measure", f"Where it raises the risk: {text}.") for name, text in MEASURED.items())
    for code, texts in EXITS.items():
        own = ", ".join(f"`{status}`" for status, number in EXIT_CODES.items() if number == code)
        yield AnswerWord(str(code), "exit", f"{texts[0]}{f' Words with it: {own}.' if own else ''}", texts[1])
    yield from (AnswerWord(name, "word", *texts) for name, texts in OTHERS.items())


def find_words(asked: str) -> tuple[AnswerWord, ...]:
    """What a word means, by kind: ``environment`` is a status and a class.

    ``logic/wrong_value`` asks for both parts.
    """
    parts = [part.strip("`").replace("-", "_").lower() for part in asked.split("/")]
    return tuple(word for part in parts for word in words() if word.name == part)


def nearest_words(asked: str) -> tuple[str, ...]:
    """Up to three words that are spelled nearly like it."""
    names = list(dict.fromkeys(word.name for word in words()))
    return tuple(difflib.get_close_matches(asked.lower().replace("-", "_"), names, n=3))


def word_text(word: AnswerWord, width: int) -> str:
    """A word on a terminal: what it is, what it means, what to do, and where it stands for good."""
    paragraphs = [
        f"{word.name}  ({KINDS[word.kind][0].lower()}{KINDS[word.kind][1:]})",
        word.means,
        f"What to do: {word.todo}" if word.todo else "",
        weight_of(word.name) if word.kind in ("doubt", "measure") else "",
        word.anchor,
    ]
    return "\n\n".join("\n".join(textwrap.wrap(each, width)) for each in paragraphs if each) + "\n"


def explain_word(name: str, *kinds: str) -> str:
    """The first sentence of what a word of these kinds means, for a line beside it; ``""`` of one that is not ours."""
    found = next((each for each in words() if each.name == name and each.kind in kinds), None)
    return _SENTENCE.split(found.means, maxsplit=1)[0] if found is not None else ""


_SENTENCE = re.compile(r"(?<=[.?!]) ")


def list_text(width: int) -> str:
    """All words by kind."""
    lines = ["`repair help WORD` explains one of these words.", ""]
    for kind, every in groupby(words(), lambda word: word.kind):
        names = ", ".join(word.name for word in every)
        lines += textwrap.wrap(f"{kind}: {names}", width, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines) + "\n"


def weight_of(name: str) -> str:
    """The weight of a feature in words; ``""`` where it has none."""
    found = shipped_weights().features.get(name)
    if found is None:
        return ""
    seen = f"seen on {found.wrong} wrong and {found.right} right patches"
    rests = "set by hand, since no labelled patch had it" if found.is_set_by_hand else seen
    return f"Weight {found.value:+.2f} in the log-odds that a patch is wrong ({rests})."


def _is_by_hand(name: str) -> bool:
    found = shipped_weights().features.get(name)
    return found is not None and found.is_set_by_hand


def page() -> str:
    """`docs/words.md`, made of all words."""
    lines = [
        "# Words of an answer",
        "",
        "Made by `make words` from `repair/show/help_words.py` and the checks; a test keeps it so. `repair help "
        "WORD` shows",
        "the same on a terminal. The anchors of this page stay as they are.",
    ]
    for kind, every in groupby(words(), lambda word: word.kind):
        lines += ["", f"## {kind.capitalize()}", "", f"{KINDS[kind]}."]
        for word in every:
            lines += ["", f"### {word.title}", "", *_fold(word.means), *(["", *_fold(word.todo)] if word.todo else [])]
            lines += (
                ["", "Its weight is set by hand."] if kind in ("doubt", "measure") and _is_by_hand(word.name) else []
            )
    return "\n".join(lines) + "\n"


def _fold(text: str) -> list[str]:
    return textwrap.wrap(text, 120, break_long_words=False, break_on_hyphens=False)


def _describe_check(check: Check) -> str:
    """What a check looks for, as its own file says it."""
    if check.name.startswith("told_by_"):
        return f"An answer says: {check.claim.replace('{detail}', '…')}."
    file = inspect.getdoc(inspect.getmodule(check.find)) or ""
    examples = [text for text in (inspect.getdoc(check.find) or "").split("\n\n") if text.startswith("Example")]
    return " ".join(" ".join((file, *examples)).split()).replace("``", "`")
