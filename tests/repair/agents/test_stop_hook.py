"""When a hook judges, when it sends an agent back, and when it says nothing."""

import errno
import shutil
import subprocess
import time

import pytest

from analysis.errors import UsageError
from repair.agents.dialects import DIALECTS, HookEvent
from repair.agents.hook_words import LATE, Told
from repair.agents.stop_hook import MOST_OF_OTHERS, MOST_TURNS, NOTHING, EngineJudge, begin_session, end_turn
from repair.client import EngineTimeout
from repair.records.events import event as event_of

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

CLAUDE = next(each for each in DIALECTS if each.name == "claude")
ASKS = Told("Should price(11) return 45?", goes_on=True)


def git(root, *arguments):
    own = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *own, "-C", str(root), *arguments], check=True, capture_output=True)


class Judge:
    """Says the same of every change, and keeps what it was asked."""

    def __init__(self, told=ASKS):
        self.told = told
        self.diffs = []

    def __call__(self, diff, deadline):
        self.diffs.append(diff)
        return self.told


@pytest.fixture
def repo(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = tmp_path / "repo"
    root.mkdir()
    (root / "shop.py").write_text("def price(n):\n    return n\n")
    (root / "test_shop.py").write_text("import shop\n\n\ndef test_one():\n    assert shop.price(1) == 1\n")
    (root / "notes.txt").write_text("one\n")
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "one")
    return root


def event(root, session="s1"):
    return HookEvent(CLAUDE, str(root), session)


def stop(root, judge, session="s1", **env):
    return end_turn(event(root, session), root, env, time.monotonic(), judge)


def edit(root, text="2 * n", name="shop.py"):
    (root / name).write_text(f"def price(n):\n    return {text}\n")


def test_a_question_sends_the_agent_back_once_for_each_change(repo):
    judge = Judge()
    edit(repo)
    first = stop(repo, judge)
    assert first.said == {"decision": "block", "reason": ASKS.text}
    assert first.wakes == ASKS.text
    assert stop(repo, judge) == NOTHING
    assert len(judge.diffs) == 1
    edit(repo, "3 * n")
    assert stop(repo, judge).said["decision"] == "block"
    assert "+    return 3 * n" in judge.diffs[1]


@pytest.mark.parametrize("place", ["_Judged.add", "count_turn"])
def test_on_a_full_disk_the_person_is_told_and_no_agent_is_sent_back_for_ever(repo, monkeypatch, place):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(f"repair.agents.stop_hook.{place}", full)
    edit(repo)
    assert stop(repo, Judge()).said == {"systemMessage": ASKS.text}


def test_an_agent_that_was_sent_back_often_may_stop(repo):
    judge = Judge()
    for number in range(MOST_TURNS):
        edit(repo, f"{number + 2} * n")
        assert stop(repo, judge).said["decision"] == "block"
    edit(repo, "99 * n")
    assert stop(repo, judge).said == {"systemMessage": ASKS.text}
    edit(repo, "98 * n")
    assert stop(repo, judge, session="s2").said["decision"] == "block", "each session is counted for itself"


def test_what_needs_no_work_is_told_to_the_person_alone(repo):
    edit(repo)
    answer = stop(repo, Judge(Told("repair: certified", goes_on=False)))
    assert (answer.said, answer.wakes) == ({"systemMessage": "repair: certified"}, "")


def test_the_work_of_the_person_before_the_session_is_not_judged(repo):
    edit(repo)
    begin_session(event(repo), repo)
    judge = Judge()
    assert stop(repo, judge) == NOTHING
    assert judge.diffs == []
    (repo / "cart.py").write_text("def total():\n    return 1\n")
    stop(repo, judge)
    assert "cart.py" in judge.diffs[0]
    assert "shop.py" not in judge.diffs[0]


def test_a_session_begins_once(repo):
    begin_session(event(repo), repo)
    edit(repo)
    begin_session(event(repo), repo)  # hosts say so again after they have shortened what was said
    judge = Judge()
    stop(repo, judge)
    assert "return 2 * n" in judge.diffs[0]


@pytest.mark.parametrize("name", ["notes.txt", "shop.py"])
def test_where_no_program_changed_nothing_is_judged(repo, name):
    path = repo / name
    path.write_text(path.read_text() + "# a comment\n")
    judge = Judge()
    assert stop(repo, judge) == NOTHING
    assert judge.diffs == []


def test_a_folder_without_tests_is_left_alone(repo):
    git(repo, "rm", "-q", "test_shop.py")
    git(repo, "commit", "-q", "-m", "two")
    edit(repo)
    assert stop(repo, Judge()) == NOTHING


def test_tests_in_a_folder_of_their_own_are_found(repo):
    git(repo, "rm", "-q", "test_shop.py")
    (repo / "tests").mkdir()
    (repo / "tests" / "prices.py").write_text("x = 1\n")
    assert stop(repo, Judge()).said["decision"] == "block"


def test_a_folder_without_git_is_said_once(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = tmp_path / "plain"
    root.mkdir()
    (root / "test_a.py").write_text("x = 1\n")
    begin_session(event(root), root)
    said = stop(root, Judge()).said
    assert said["systemMessage"].startswith("repair: not judged: ")
    assert stop(root, Judge()) == NOTHING
    assert stop(root, Judge(), session="s2").said == said


def test_a_second_hook_at_once_says_nothing(repo):
    edit(repo)

    class Second(Judge):
        def __call__(self, diff, deadline):
            self.diffs.append(stop(repo, Judge(), session="s2"))
            return ASKS

    judge = Second()
    assert stop(repo, judge).said["decision"] == "block"
    assert judge.diffs == [NOTHING]


def test_the_environment_turns_it_off_or_lets_it_only_tell(repo):
    edit(repo)
    judge = Judge()
    assert stop(repo, judge, REPAIR_HOOK="off") == NOTHING
    assert judge.diffs == []
    assert stop(repo, judge, REPAIR_HOOK="tell").said == {"systemMessage": ASKS.text}


@pytest.mark.parametrize(("said", "seconds"), [("7.5", 7.5), ("", 25.0), ("soon", 25.0), ("-1", 25.0), ("inf", 25.0)])
def test_the_time_of_a_hook_is_its_own(repo, said, seconds):
    edit(repo)
    ends = []
    started = time.monotonic()
    end_turn(event(repo), repo, {"REPAIR_HOOK_SECONDS": said}, started, lambda diff, end: ends.append(end))
    assert ends == [started + seconds]


def test_what_is_remembered_may_be_damaged(repo):
    edit(repo)
    stop(repo, Judge())
    for path in (repo.parent / "state").rglob("judged.json"):
        path.write_bytes(b"\xff{")
    assert stop(repo, Judge()).said["decision"] == "block"


def test_a_lock_file_that_a_killed_hook_left_keeps_nobody_out(repo):
    edit(repo)
    stop(repo, Judge())
    (lock,) = (repo.parent / "state").rglob("hook.lock")
    lock.touch()
    edit(repo, "5 * n")
    assert stop(repo, Judge()).said["decision"] == "block"


def test_what_was_not_judged_is_told_once_and_judged_the_next_time(repo):
    edit(repo)
    late = Judge(Told("repair: no verdict within the hook's time.", goes_on=False, judged=False))
    assert stop(repo, late).said == {"systemMessage": "repair: no verdict within the hook's time."}
    assert stop(repo, late) == NOTHING
    assert len(late.diffs) == 2
    assert stop(repo, Judge()).said["decision"] == "block"


def test_a_misspelt_mode_is_an_error_and_judges_nothing(repo):
    edit(repo)
    judge = Judge()
    with pytest.raises(UsageError, match="REPAIR_HOOK is 'none'"):
        stop(repo, judge, REPAIR_HOOK="none")
    assert judge.diffs == []


def test_at_the_deadline_no_question_is_told_since_a_person_may_have_put_it_to_rest(tmp_path, monkeypatch):
    """What an engine hears on its way has no name by which it could be looked up."""

    class Late:
        def result(self, hear=lambda _: None):
            hear(event_of("doubt", function="price", question="Should price(11) return 45?"))
            raise EngineTimeout("the time was up")

    monkeypatch.setattr("repair.agents.stop_hook.start", lambda *_, **__: Late())
    told = EngineJudge(tmp_path, {}, tmp_path)("a diff", time.monotonic() + 20.0)
    assert told == LATE


def test_a_large_file_that_is_no_program_takes_no_time_of_the_hook(repo):
    edit(repo)
    (repo / "small.json").write_text('{"a": 1}\n')
    (repo / "data.json").write_bytes(b"[1]\n" * (MOST_OF_OTHERS // 4 + 1))
    judge = Judge()
    assert stop(repo, judge).said["decision"] == "block"
    (diff,) = judge.diffs
    assert ("data.json" in diff, "small.json" in diff, "shop.py" in diff) == (False, True, True)
