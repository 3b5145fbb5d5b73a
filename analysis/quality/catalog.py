"""All rules on tests, in the order of their ids.

T02, T05, T12 and T25 only warn, since the tests judged here are the users' own. T16 needs the run's
coverage and T27 the patch: see ``subject_not_executed`` and ``examples_changed`` in ``check``. T19, a copied
implementation, is not among them: it would need the subject's source.
"""

from __future__ import annotations

from analysis.quality import content, oracle, raising, running, world
from analysis.quality.smell import Rule


def _by_id(rule: Rule) -> tuple[str, str]:
    return rule.id[:3], rule.id


RULES: tuple[Rule, ...] = tuple(
    sorted((*content.RULES, *oracle.RULES, *raising.RULES, *running.RULES, *world.RULES), key=_by_id)
)
