"""Threads of the engine do not meet in Python's parser, which fails where they do."""

import subprocess
import sys

# Without turns 3.11 fails here in most runs: collections of garbage let another thread in while a tree is made.
MEETING = """
import ast, gc, sys, threading, time
from repair.front.opening import take_turns

take_turns()
take_turns()
sys.setswitchinterval(1e-6)
gc.callbacks.append(lambda phase, info: time.sleep(0))
gc.set_threshold(50, 1, 1)
text = "\\n".join(f"def f{n}(a, b):\\n    return [a + {n} for a in range({n}) if (a, (b, (a,)))]" for n in range(30))
problems = []

def parse():
    for _ in range(40):
        try:
            assert len(ast.parse(text).body) == 30
            assert ast.literal_eval("[1, (2, 3)]") == [1, (2, 3)]
        except Exception as problem:
            problems.append(repr(problem))

threads = [threading.Thread(target=parse) for _ in range(3)]
for each in threads:
    each.start()
for each in threads:
    each.join()
print(problems)
"""

FORKED = """
import ast, os, threading
from repair.front.opening import take_turns

take_turns()
entered, leave = threading.Event(), threading.Event()
turn = next(cell.cell_contents for cell in ast.parse.__closure__ if type(cell.cell_contents).__name__ == "_Turn")

def hold():
    with turn.lock:
        entered.set()
        leave.wait()

threading.Thread(target=hold).start()
entered.wait()
pid = os.fork()
if pid == 0:
    os._exit(len(ast.parse("a = 1").body))
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
leave.set()
"""


def run(script: str) -> str:
    words = [sys.executable, "-W", "ignore", "-c", script]
    return subprocess.run(words, capture_output=True, text=True, timeout=120, check=True).stdout.strip()


def test_threads_that_parse_at_once_do_not_make_each_other_fail():
    assert run(MEETING) == "[]"


def test_a_forked_child_does_not_wait_for_a_thread_of_its_parent():
    assert run(FORKED) == "1"
