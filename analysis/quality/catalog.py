"""All rules on tests, in the order of their ids.

T02, T05, T12 and T25 only warn where the tests are the users' own; of generated tests more is asked. T16 needs the
run's coverage and T27 the patch: see ``subject_not_executed`` and ``examples_changed`` in ``check``. T19, a copied
implementation, and T28, assertions that never ran, need a run (``executed``).
"""

from __future__ import annotations

from analysis.quality import content, loose, oracle, raising, running, world
from analysis.quality.smell import Rule

_EVERY = (*content.RULES, *loose.RULES, *oracle.RULES, *raising.RULES, *running.RULES, *world.RULES)
RULES: tuple[Rule, ...] = tuple(sorted(_EVERY, key=lambda rule: (rule.id[:3], rule.id)))

REJECTED_IF_GENERATED = frozenset({"T02", "T05", "T12", "T25"})
"""What is only a warning about a test that a person wrote: no assertion, any exception, weak ones, the harness."""

EXCUSED_IF_OLD = frozenset({"T09", "T29"})
"""What bars a test from vouching, and is no fault of a suite that has it: a skip, an expected failure, a pin."""

TITLES = {rule.id: rule.title for rule in RULES} | {
    "T19": "implementation copied",
    "T28": "no assertion ran",
    "T28-some": "an assertion did not run",
}
"""What each smell is called in one or two words."""
