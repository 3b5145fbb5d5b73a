"""Cost: where old and new agree, the patch does not do grossly more work, nor work that grows in a steeper way."""

from __future__ import annotations

from analysis.facts import InvalidRun
from analysis.line_counts import Excess, LineCountsPair, WorkReport, excess
from repair.compare.comparing import open_versions
from repair.compare.patched_server import PatchedServer
from repair.records.ports import Submission
from repair.records.verdict import Decision, Evidence, Measurement
from repair.records.wording import count_noun
from repair.trials.trial_router import TrialTier


class Costs:
    """Accepts when executed lines stay within bounds on the calls of tests and on larger ones like them.

    Lines are counted, not seconds: the same patch gives the same numbers on a busy machine. Of work inside functions
    written in C only comparisons are seen (a search in a list, a sort). Only calls on which old and new agree count;
    one that had to be ended does where a test makes it that passes with both.
    """

    name = "cost"

    def __init__(self, server: PatchedServer, effort: int = 1) -> None:
        self._server = server
        self._effort = effort

    def judge(self, submission: Submission) -> Evidence:
        """Count on recorded calls and on larger ones."""
        if not submission.vouching:
            return self._decline("No passing test calls this function, so its work was not counted", ())
        with self._server.lend(submission) as sessions:
            session = sessions.session(TrialTier.WARM)
            if isinstance(session, InvalidRun):
                return self._decline(f"No work was counted: {session.detail}", ())
            both = open_versions(submission)
            report = session.questions_about(both.mine.function).work(both.mine, both.before, self._effort)
            return self._weigh(report.trust_unfinished(submission.baseline.passing))

    def _weigh(self, report: WorkReport) -> Evidence:
        found = report.agreeing_pairs
        grown = tuple(row for row in report.series if any(each.agree for each in row[1:]))
        numbers: tuple[Measurement, ...] = (("calls", len(found)), ("series", len(grown)))
        if not found:
            return self._decline(
                "No call on which old and new agree could be repeated outside its test", report.failures
            )
        numbers = (*numbers, ("old_lines", sum(c.old.own for c in found)), ("new_lines", sum(c.new.own for c in found)))
        much = excess(report)
        if much is not None:
            return self._doubt(much, numbers, report.failures)
        tried = f"{count_noun(len(found), 'call')} and {count_noun(len(grown), 'series', 'series')} of larger ones"
        claim = f"the patch does no more work than it should on {tried} where old and new agree"
        left = report.failures if grown else (*report.failures, "work on larger inputs: none could be made")
        return Evidence(self.name, Decision.ACCEPT, claim, numbers, not_checked=left)

    def _doubt(self, much: Excess, numbers: tuple[Measurement, ...], failures: tuple[str, ...]) -> Evidence:
        old, new = much.orders
        shown = much.shown
        if shown.place:
            claim = (
                f"The patch's work grows by the power {new:.1f} of the input's size, the old function's by {old:.1f}"
            )
        else:
            claim = "The patch does many times the work of the old function where both give the same"
        asked = f"Is it meant that {_describe_input(shown)} takes that much more work?"
        return Evidence(self.name, Decision.UNKNOWN, claim, numbers, _describe_cost(shown), asked, failures)

    def _decline(self, claim: str, failures: tuple[str, ...]) -> Evidence:
        return Evidence(self.name, Decision.UNKNOWN, claim, not_checked=failures or ("the work that the patch does",))


def _describe_input(weighed: LineCountsPair) -> str:
    return f"{weighed.call} with {weighed.place} {weighed.factor} times as large" if weighed.place else weighed.call


def _describe_cost(weighed: LineCountsPair) -> str:
    """A witness: the call and both counts."""
    old, new = weighed.old, weighed.new
    if not weighed.place and not new.ended:
        return f"{weighed.call} executes {new.own} lines of the project, and {old.own} before"
    more = "was ended after" if new.ended else "executes"
    return f"{_describe_input(weighed)} {more} {new.lines} lines, and {old.lines} before"
