"""The proposer that asks what values would mend: conditions and expressions made of what was in scope.

Forced values say which place of the function decides, and expressions are enumerated for that place alone. The parts
are those of

- predicate switching (Zhang, Gupta and Gupta, 2006);
- angelic values (SemFix: Nguyen et al., 2013; Nopol: Xuan et al., 2017);
- conditions and exits that keep what passing tests see (ACS: Xiong et al., 2017);
- one value for equal expressions in several places, the simplest of what Angelix (Mechtaev, Yi and Roychoudhury, 2016)
  does.

It answers the few questions for which a search would run thousands of trials. Each answer is a proposal like any other,
tried and judged as such.
"""

from __future__ import annotations

from collections.abc import Iterator

from repair.records.ports import Context
from repair.records.task import PatchPlan, Pause
from repair.records.wording import count_noun
from transforms.ingredients.within_reach import ingredients_of
from transforms.operators.operator import Neighbourhood, clip_text
from transforms.synthesis.candidates import PROPOSER, proposals_of
from transforms.synthesis.places import points_of
from transforms.tree.proposal import Proposal

SECONDS = 1.5
"""What each of the two questions may take, of one core."""

FORCING, SETTLING = 200, 60
"""Proposals of others that are drawn while a question is answered: with fewer, all others wait for the answer."""

LEAST_LEFT = 4 * SECONDS

LEAST_RUNS = 20
"""Values that were tried without success before that says something of the function."""


class SynthesisProposer:
    """Proposes what gives the values that the failing tests want; a function about which nothing can be found has none.

    The order depends on values that were seen, never on outcomes of trials, so that it may be drawn ahead of them.
    """

    name = PROPOSER
    eager = True

    def propose(self, plan: PatchPlan, context: Context) -> Iterator[Proposal | Pause]:
        """Edits for the plan's one function. What keeps it from making any is said in a pause."""
        if context.values is None or context.seconds_left() < LEAST_LEFT:
            yield Pause(said="there was no time to ask")
            return
        near = Neighbourhood(ingredients_of(context.module_source, plan.function))
        points = points_of(context.scope, near, plan.suspect.line_scores, SECONDS)
        if points is None:
            yield Pause(said="the failing tests run no condition or value of it")
            return
        forcing = context.values.force(points.ask)
        yield Pause(FORCING)
        forced = forcing()
        if not forced.wanted:
            said = (
                forced.said or f"no value at one place mends the failing tests, after {count_noun(forced.runs, 'run')}"
            )
            yield Pause(said=said, decides=None if forced.said or forced.runs < LEAST_RUNS else False)
            return
        settling = context.values.settle(points.ask, forced.wanted)
        yield Pause(SETTLING, decides=True)
        settled = settling()
        given = list(proposals_of(context.scope, points.ask, points.spots, dict(settled.found)))
        if not given:
            places = ", ".join(f"`{clip_text(points.spots[each.place].first.code, 40)}`" for each in forced.wanted[:3])
            yield Pause(said=settled.said or f"nothing in scope gives what the failing tests want of {places}")
        yield from given
