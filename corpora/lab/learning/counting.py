"""One small change looked at: which operators give it, in which contexts, from which words, for which failure."""

from __future__ import annotations

from corpora.lab.learning.changes import SmallChange
from corpora.lab.learning.origins import origins
from corpora.lab.learning.producing import Wanted, describe_wanted, find_produced
from corpora.lab.learning.saying import failure_said
from corpora.lab.learning.seen import Seen
from transforms.ingredients.word_counts import Weigh, by_hand
from transforms.tree.candidate import Rejected
from transforms.tree.scope import open_scope


def see_change(change: SmallChange, tests: str) -> Seen:
    """What the change is made of; ``tests`` are the lines that its commit adds to tests.

    A text that is not read, and more than any single edit brings, is made of nothing.
    """
    said = Seen(change.commit.id, small=True, fix=change.is_fix)
    goal = goal_of(change)
    if goal is None:
        return said
    message = f"{change.commit.subject}\n{change.commit.body}"
    failure, subclass = failure_said(message, change.old.decode(goal.scope.encoding), goal.text, tests)
    kind = failure.value if failure is not None else ""
    return Seen(change.commit.id, True, change.is_fix, kind, str(subclass), find_produced(goal), origins(goal))


def goal_of(change: SmallChange, weigh: Weigh = by_hand) -> Wanted | None:
    """The change as it is looked for among edits; ``None`` for one that is not."""
    scope = open_scope(change.before, change.span)
    return None if isinstance(scope, Rejected) else describe_wanted(scope, change.after, weigh)
