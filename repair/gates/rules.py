"""Rules: the patch keeps to the rules that the project gave itself: forbidden patterns, and tests that hold one."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.facts import Files, InvalidRun, Limits, Outcome, TestId, TestRun
from analysis.specified.business_rules import FILE, BusinessRule, forbidden_in, new_places
from repair.records.ports import Sandbox, Submission
from repair.records.verdict import Decision, Evidence
from repair.records.wording import count_noun


class Rules:
    """Accepts when no file that the patch changes holds a forbidden pattern more often, and all tests of rules pass.

    Rejects where the patch brings one, or where a rule's test fails that passed before.
    """

    name = "rules"

    def __init__(self, sandbox: Sandbox, rules: Sequence[BusinessRule], limits: Limits) -> None:
        self._sandbox = sandbox
        self._rules = tuple(rules)
        self._limits = limits

    def judge(self, submission: Submission) -> Evidence:
        """Look for each pattern in the changed files, and run each rule's tests with the patch."""
        if not self._rules:
            claim = "the project has no rules of its own"
            return Evidence(self.name, Decision.ACCEPT, claim, not_checked=(f"rules: there is no {FILE}",))
        numbers = (("rules", len(self._rules)),)
        unread = []
        for rule in self._rules:
            found = self._broken_by_text(rule, submission) if rule.forbid else self._broken_by_run(rule, submission)
            if isinstance(found, Evidence):
                return found
            if found:
                unread.append(f"{rule.name}: {found}")
        if unread:
            claim = f"Of {count_noun(len(self._rules), 'rule')} not all could be looked at: {unread[0]}"
            return Evidence(self.name, Decision.UNKNOWN, claim, numbers, not_checked=tuple(unread))
        patterns = sum(bool(rule.forbid) for rule in self._rules)
        looked = count_noun(patterns, "forbidden pattern")
        claim = f"{looked} looked for, tests of {count_noun(len(self._rules) - patterns, 'rule')} pass"
        return Evidence(self.name, Decision.ACCEPT, claim, numbers)

    def _broken_by_text(self, rule: BusinessRule, submission: Submission) -> Evidence | str:
        before = dict(submission.sources)
        for path, text in submission.whole:
            if not rule.covers(path) or before.get(path) == text:
                continue
            old, new = forbidden_in(rule, path, before.get(path, b"")), forbidden_in(rule, path, text)
            if old is None or new is None:
                return f"{path} cannot be parsed"
            brought = new_places(old, new)
            if brought:
                place = f"{path}:{brought[0].line}: {brought[0].text}"
                return self._reject(rule, f"the patch brings `{brought[0].text}`", place)
        return ""

    def _broken_by_run(self, rule: BusinessRule, submission: Submission) -> Evidence | str:
        tests = tuple(TestId(each) for each in rule.check)
        failed = self._failed(tests, submission.whole)
        if isinstance(failed, str):
            return failed
        before = self._failed(failed, ()) if failed else ()
        if isinstance(before, str):
            return before
        if set(failed) <= set(before):
            return f"{failed[0]} fails without the patch, too" if failed else ""
        broken = next(test for test in failed if test not in before)
        return self._reject(rule, f"{broken} fails with the patch", str(broken))

    def _failed(self, tests: tuple[TestId, ...], files: Files) -> tuple[TestId, ...] | str:
        """The tests that did not pass, or why nobody knows."""
        run = self._sandbox.run(tests, files, limits=self._limits)
        if isinstance(run, InvalidRun):
            return run.detail
        return _unpassed(run, tests)

    def _reject(self, rule: BusinessRule, said: str, witness: str) -> Evidence:
        claim = f"Rule {rule.name} ({rule.sentence.rstrip('.')}): {said}"
        return Evidence(self.name, Decision.REJECT, claim, (("rules", len(self._rules)),), witness)


def _unpassed(run: TestRun, tests: tuple[TestId, ...]) -> tuple[TestId, ...] | str:
    if run.collection_errors or not run.results:
        return f"{tests[0]} is not collected"
    return tuple(result.test for result in run.results if result.outcome is not Outcome.PASSED)
