"""One warm server for the gates of a submission; a fresh one wherever the last gate may have left something."""

import pytest
from fakes.sandbox import FakeSandbox, FakeSession, run_of
from fakes.submission import FAILING, NEW, OLD, PASSING, submission_of

from analysis.facts import InvalidRun, Limits, RunFault
from analysis.trials import TrialState
from repair.compare.patched_server import PatchedServer
from repair.trials.trial_router import TrialTier

SUBMISSION = submission_of()


class Servers:
    """Notes every server that is started."""

    def __init__(self, *, keep=True, first=None):
        self.started = []
        self.shared = PatchedServer(FakeSandbox(lambda *_: run_of({}), session=self.start), Limits(), keep=keep)
        self.first = first

    def start(self, tests, files):
        if self.first is not None and not self.started:
            self.started.append(self.first)
            return self.first
        self.started.append(FakeSession())
        return self.started[-1]

    def fail(self):
        """As a gate that breaks with the session in its hands."""
        with self.shared.lend(SUBMISSION) as router:
            raise RuntimeError(router.session(TrialTier.WARM))

    def ask(self, submission=SUBMISSION):
        """As a gate does; the warm session that it got."""
        with self.shared.lend(submission) as router:
            return router.session(TrialTier.WARM)


def test_gates_that_leave_nothing_share_a_server_until_it_is_closed():
    servers = Servers()
    first = servers.ask()
    assert servers.ask() is servers.ask() is first
    assert not first.closed
    servers.shared.close()
    assert first.closed
    assert servers.ask() is not first


@pytest.mark.parametrize("files", ["something more", ""])
def test_what_a_gate_left_in_the_files_or_a_lost_server_starts_a_fresh_one(files):
    servers = Servers()
    first = servers.ask()
    first.files = files
    second = servers.ask()
    assert second is not first
    assert first.closed
    assert not second.closed
    assert servers.ask() is second


@pytest.mark.parametrize("other", [submission_of(vouching=(PASSING,)), submission_of(whole=(("x", b""),))])
def test_other_tests_or_other_files_get_a_server_of_their_own(other):
    servers = Servers()
    first = servers.ask()
    assert servers.ask(other) is not first
    assert servers.ask() is first
    servers.shared.close()
    assert [each.closed for each in servers.started] == [True, True]


def test_no_more_servers_are_kept_than_two_and_none_of_another_function():
    servers = Servers()
    for tests in ((FAILING, PASSING), (FAILING,), (PASSING,)):
        servers.ask(submission_of(vouching=tests))
    assert [each.closed for each in servers.started] == [True, False, False]
    other = OLD.replace(b"price", b"cost")
    servers.ask(submission_of(NEW.replace(b"price", b"cost"), other, qualname="cost"))
    assert [each.closed for each in servers.started] == [True, True, True, False]


OTHER = submission_of(NEW.replace(b"return 0", b"return 1"))


def test_another_patch_of_the_function_is_judged_on_the_server_of_the_first():
    servers = Servers(first=FakeSession(lambda trial: trial.text == OTHER.candidate.text))
    first = servers.ask()
    assert servers.ask(OTHER) is servers.ask() is servers.ask(OTHER) is first
    assert not first.closed


@pytest.mark.parametrize(
    "first", [FakeSession(lambda trial: False), FakeSession(lambda trial: TrialState.INVALID), FakeSession(swaps=False)]
)
def test_a_patch_that_does_not_pass_when_it_is_put_in_there_gets_a_server_of_its_own(first):
    servers = Servers(first=first)
    assert servers.ask() is first
    assert servers.ask(OTHER) is not first
    assert first.closed


def test_where_no_server_started_the_next_gate_tries_again():
    servers = Servers(first=InvalidRun(RunFault.EXITED, "killed"))
    assert isinstance(servers.ask(), InvalidRun)
    assert isinstance(servers.ask(), FakeSession)


def test_without_keeping_a_session_ends_with_its_gate_however_that_ends():
    servers = Servers(keep=False)
    with pytest.raises(RuntimeError):
        servers.fail()
    assert [each.closed for each in servers.started] == [True]
    assert servers.ask() is servers.started[1]


def test_further_tests_and_files_have_a_server_of_their_own():
    asked = []
    sandbox = FakeSandbox(lambda *_: run_of({}), session=lambda *given: asked.append(given) or FakeSession())
    shared = PatchedServer(sandbox, Limits(), keep=True)
    for tests, files in [((), ()), ((), ()), (("more.py::test",), (("more.py", b""),)), ((), ())]:
        with shared.lend(SUBMISSION, tests, files) as router:
            router.session(TrialTier.WARM)
    assert [(len(tests), [path for path, _ in files]) for tests, files in asked] == [
        *((2, ["shop.py"]), (3, ["more.py", "shop.py"])),
    ]
