"""Edits that only walk things in another order, and those that do more."""

import pytest

from transforms.rules.merits import only_reorders, sorted_choices, walked_copies

INCLUDES = """def load(path, files):
    text = ""
    for name in files[path]:
        text += load(name, files)
    return text
"""
TREE = """def depth(menu):
    return 1 + max((depth(each) for each in menu.items), default=0)
"""
ORDERS = """def needed(task, tasks):
    found = [task]
    for other in sorted(tasks[task]):
        found += needed(other, tasks)
    return found
"""


@pytest.mark.parametrize(
    ("before", "old", "new"),
    [
        (INCLUDES, "files[path]:", "reversed(files[path]):"),
        (TREE, "menu.items)", "menu.items[::-1])"),
        (ORDERS, "sorted(tasks[task])", "sorted(tasks[task], key=len)"),
        (ORDERS, "sorted(tasks[task])", "tasks[task]"),
        (ORDERS, "sorted(tasks[task])", "set(tasks[task])"),
    ],
)
def test_another_order_alone(before, old, new):
    assert only_reorders(before.encode(), before.replace(old, new).encode())


@pytest.mark.parametrize(
    ("before", "old", "new"),
    [
        (INCLUDES, "files[path]:", "files[path]:  # all"),
        (INCLUDES, "files[path]:", "reversed(files[path][1:]):"),
        (INCLUDES, "files[path]:", "files.pop(path):"),
        (TREE, "menu.items)", "menu.items[::-2])"),
        (ORDERS, "sorted(tasks[task])", "enumerate(tasks[task])"),
        (ORDERS, "found = [task]", "found = sorted([task], *tasks)"),
        (ORDERS, "found = [task]", "found = [task"),
    ],
)
def test_nothing_or_more_than_the_order(before, old, new):
    assert not only_reorders(before.encode(), before.replace(old, new).encode())


EMIT = """def emit(self, event):
    for name, each in self.subscribers:
        each.notify(event)
"""


@pytest.mark.parametrize(
    "copy", ["list({})", "{}[:]", "{}.copy()", "copy.copy({})", "tuple({})", "[*{}]", "sorted({}, key=len)"]
)
def test_a_copy_is_walked_whose_elements_are_called(copy):
    after = EMIT.replace("self.subscribers", copy.format("self.subscribers"))
    assert walked_copies(EMIT.encode(), after.encode()) == ("self.subscribers",)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("self.subscribers", "reversed(self.subscribers)"),
        ("self.subscribers", "list(self.listeners)"),
        ("self.subscribers", "self.set(self.subscribers)"),
        ("self.subscribers:\n        each.notify(event)", "list(self.subscribers):\n        self.count += 1"),
        ("self.subscribers", "list(self.subscribers"),
    ],
)
def test_no_copy_of_what_was_walked_whose_elements_are_called(old, new):
    assert old in EMIT
    assert walked_copies(EMIT.encode(), EMIT.replace(old, new).encode()) == ()


FIRST = """def may(names, rules):
    for name in names:
        {body}
    return False
"""
ENDS = (
    "return rules[name]",
    "if name in rules:\n            break",
    "for rule in rules:\n            return rule",
    "for rule in rules:\n            pass\n        else:\n            break",
)
GOES_ON = (
    "rules.add(name)",
    "for rule in rules:\n            break",
    "rules.add(lambda: name)",
    "if name in rules:\n            return True",
    "for rule in rules:\n            def inner():\n                return rule",
)


@pytest.mark.parametrize("order", ["sorted", "set", "frozenset"])
@pytest.mark.parametrize("body", ENDS)
def test_another_order_decides_where_a_loop_is_left_at_its_first_hit(body, order):
    before = FIRST.format(body=body)
    assert sorted_choices(before.encode(), before.replace("in names", f"in {order}(names)").encode()) == ("names",)


@pytest.mark.parametrize(
    ("body", "walked"),
    [
        *((body, "sorted(names)") for body in GOES_ON),
        *((ENDS[0], walked) for walked in ("reversed(names)", "sorted(names, key=len)", "sorted(rules)", "sorted(nam")),
    ],
)
def test_no_other_order_decides(body, walked):
    before = FIRST.format(body=body)
    assert sorted_choices(before.encode(), before.replace("in names", f"in {walked}").encode()) == ()


def test_a_loop_that_was_sorted_before_is_none_of_the_edits():
    before = FIRST.format(body=ENDS[0]).replace("in names", "in sorted(names)")
    assert sorted_choices(before.encode(), before.replace("False", "None").encode()) == ()


def test_a_loop_that_was_sorted_before_is_none_of_the_edits_beside_one_that_was_not():
    before = f"""def may(names, rules):
    for name in names:
        print(name)
    for name in sorted(names):
        {ENDS[0]}
    return False
"""
    assert sorted_choices(before.encode(), before.replace("False", "None").encode()) == ()
    copied = (
        EMIT.replace("def ", "def ", 1) + EMIT.replace("self.subscribers", "list(self.subscribers)").partition("\n")[2]
    )
    assert walked_copies(copied.encode(), copied.replace("event)", "event, 1)", 1).encode()) == ()
