"""What a model is told of its earlier replies: at length in the same thread, in one line each in a fresh one.

A debugging conversation goes bad with its length, so a failed text is never shown again in a fresh thread. What it is
told in its own thread is what helps: the values of the assertion, the first call that came out otherwise, what broke.
"""

from __future__ import annotations

from collections.abc import Sequence

from repair.model.conversation import Doubted, End, Failed, NotThere, Passed, Repeated, Sent, Stress, Unread, Untried
from repair.model.prompt import quoted
from repair.model.prompt_files import packaged_prompts
from repair.model.reply import make_plain
from repair.records.task import Attempt

ONE_LINE, LONG = 240, 1_200
"""Characters of an attempt in a fresh thread, and of what a test says in its own one."""

MOST_WHY, MOST_SHOWN = 100, 2_500
"""Characters of its author's words in that line, and of the function with a change that is in doubt."""

MOST_TESTS = 5

_SAID = {
    Stress.SAME_FAILURE: "same_failure",
    Stress.BROKE_OTHERS: "broke_others",
    Stress.DOUBTED: "doubted",
    Stress.REPEATED: "repeated",
    Stress.UNREAD: "unread",
    Stress.NOT_THERE: "not_there",
}


def say_stress(stress: Stress) -> str:
    """What is said the more plainly for what came before; nothing where nothing did."""
    return _say(_SAID[stress]) if stress in _SAID else ""


def _say(part: str, **values: str) -> str:
    return packaged_prompts().text(f"feedback/{part}", **values)


def answer_back(end: End, attempt: Attempt | None, stress: Stress, offered: Sequence[str] = ()) -> str:
    """The next turn in the thread: what came of the reply, at length."""
    parts: list[str] = []
    match end:
        case Unread(_, reason):
            parts.append(_say("cannot_be_used", reason=reason.rstrip(".")))
        case Repeated(reason):
            parts.append(_say("no_new_change", reason=reason.rstrip(".")))
        case NotThere(_, reason):
            parts.append(_say("cannot_be_meant", reason=reason.rstrip(".")))
            if offered:
                parts.append(quoted("functions that may be named, the likeliest first", "\n".join(offered)))
        case Doubted():
            parts.append(_say("in_doubt"))
            parts.append(_tell_doubt(end))
        case Failed(failing, _, broke):
            parts.append(_tell_failed(sorted(failing), broke))
        case Sent() | Passed() | Untried():
            pass
    if attempt is not None:
        parts += [quoted("what it says now", attempt.seen[:LONG]), quoted("the first call", attempt.divergence[:LONG])]
    return "\n\n".join(filter(None, (*parts, say_stress(stress))))


def show_doubted(end: End, text: str) -> str:
    """In a fresh thread: the change that passes and is in doubt, which its author may stand by; else nothing."""
    if not isinstance(end, Doubted) or not text:
        return ""
    shown = quoted("the function with a change that passes the failing tests, and is in doubt", text, most=MOST_SHOWN)
    return f"{shown}\n\n{_tell_doubt(end)}"


def _tell_doubt(end: Doubted) -> str:
    told = "\n".join(filter(None, (end.claim, end.witness and f"shown by: {end.witness}", end.question)))
    return quoted("what speaks against it", told)


def _tell_failed(failing: Sequence[str], broke: Sequence[str]) -> str:
    said = _say("does_not_do")
    if failing:
        said += " " + _say("still_failing", tests=_list(failing))
    if broke:
        said += " " + _say("breaks", tests=_list(broke))
    return said


def one_line(number: int, kind: str, why: str, end: End) -> str:
    """An earlier attempt in a fresh thread: what it did, by its author's words, and how it ended."""
    match end:
        case Unread(_, reason) | Repeated(reason):
            came = reason
        case NotThere(name, reason):
            came = f"{name}: {reason}"
        case Sent(place, reason):
            came = f"{place} is said to be at fault: {reason}"
        case Doubted(claim, witness, question):
            came = f"passes, and is in doubt: {claim} {witness or question}"
        case Failed(failing, failure, broke):
            came = f"breaks {_list(broke)}" if broke and not failing else failure
        case Passed():
            came = "passes"
        case Untried():
            came = "was not tried to its end"
    said = make_plain(why, MOST_WHY) or "no reason given"
    return make_plain(f"{number}. {kind or 'no edit'} ({said}): {came}", ONE_LINE)


def _list(tests: Sequence[str]) -> str:
    more = f" and {len(tests) - MOST_TESTS} more" if len(tests) > MOST_TESTS else ""
    return ", ".join(tests[:MOST_TESTS]) + more
