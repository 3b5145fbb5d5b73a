import copy

import pytest

from treesync import Dir, File, Op, apply_ops, build, diff_dirs, plan

X = File(b"x", executable=True)

CASES = [
    # old, new, kinds and paths
    ({"p": "1"}, {"p": {}}, ["delete p", "mkdir p"]),
    ({"p": ""}, {"p": {}}, ["delete p", "mkdir p"]),
    ({"p": {}}, {"p": ""}, ["rmdir p", "write p"]),
    ({"p": {}}, {"p": "1"}, ["rmdir p", "write p"]),
    ({"p": ""}, {"p": {"q": ""}}, ["delete p", "mkdir p", "write p/q"]),
    ({"p": "1"}, {"p": {"q": {"r": "1"}, "s": "2"}}, ["delete p", "mkdir p", "mkdir p/q", "write p/q/r", "write p/s"]),
    ({"p": {"q": "1"}}, {"p": "1"}, ["delete p/q", "rmdir p", "write p"]),
    ({"p": {"a": {"b": {"c": "1"}}, "z": {}}}, {"p": "1"},
     ["rmdir p/z", "delete p/a/b/c", "rmdir p/a/b", "rmdir p/a", "rmdir p", "write p"]),
    ({"d": {"p": "1", "k": "1"}}, {"d": {"p": {"q": "1"}, "k": "1"}}, ["delete d/p", "mkdir d/p", "write d/p/q"]),
    ({"d": {"p": {"q": "1"}, "k": "1"}}, {"d": {"p": "1", "k": "1"}}, ["delete d/p/q", "rmdir d/p", "write d/p"]),
    ({"a": "1", "b": {"x": "1"}}, {"a": {"x": "1"}, "b": "1"},
     ["delete a", "mkdir a", "write a/x", "delete b/x", "rmdir b", "write b"]),
    ({"p": {"q": "1"}}, {"p": {"q": {"r": "1"}}}, ["delete p/q", "mkdir p/q", "write p/q/r"]),
    ({"p": {}}, {"p": X}, ["rmdir p", "write p"]),
    ({"p": X}, {"p": {"x": X}}, ["delete p", "mkdir p", "write p/x"]),
    ({"p": {}}, {"p": {}}, []),
    ({"p": {"q": "1"}}, {"p": {}}, ["delete p/q"]),
    ({"p": {}}, {"p": {"q": "1"}}, ["write p/q"]),
    ({"p": {"q": "1", "r": "2"}}, {"p": {"q": "9", "r": "2"}}, ["write p/q"]),
    ({"p": ""}, {"p": "1"}, ["write p"]),
    ({"p": "1"}, {"p": ""}, ["write p"]),
    ({"p": ""}, {"p": File(b"", True)}, ["chmod p"]),
    ({"p": X}, {"p": File(b"x")}, ["chmod p"]),
    ({"d": {"p": X}}, {"d": {"p": File(b"x")}}, ["chmod d/p"]),
    ({"p": X}, {"p": File(b"y", False)}, ["write p"]),
    ({"p": ""}, {}, ["delete p"]),
    ({}, {"p": {}}, ["mkdir p"]),
    ({"p": {}}, {}, ["rmdir p"]),
]


@pytest.mark.parametrize("old, new, steps", CASES)
def test_steps(old, new, steps):
    old, new = build(copy.deepcopy(old)), build(copy.deepcopy(new))
    before, target = copy.deepcopy(old), copy.deepcopy(new)
    ops = list(diff_dirs(old, new))
    assert [f"{op.kind} {op.path}" for op in ops] == steps
    assert old == before and new == target
    assert apply_ops(old, ops) == len(steps)
    assert old == target
    assert list(diff_dirs(old, new)) == []


def test_executable_kept_when_directory_becomes_file():
    ops = list(diff_dirs(build({"p": {"q": "1"}}), build({"p": X})))
    assert ops[-1] == Op("write", "p", b"x", True)


def test_executable_kept_when_file_becomes_directory():
    ops = list(diff_dirs(build({"p": "1"}), build({"p": {"q": X}})))
    assert ops[-1] == Op("write", "p/q", b"x", True)


def test_write_with_bit():
    assert list(diff_dirs(build({"p": "1"}), build({"p": X}))) == [Op("write", "p", b"x", True)]


def test_chmod_off():
    assert list(diff_dirs(build({"p": X}), build({"p": File(b"x")}))) == [Op("chmod", "p", executable=False)]


def test_prefix():
    ops = diff_dirs(build({"p": "1"}), build({"p": {"q": "1"}}), "root/")
    assert [op.path for op in ops] == ["root/p", "root/p", "root/p/q"]


def test_there_and_back():
    a = build({"p": "1", "q": {"r": {"s": "1"}}, "t": X})
    b = build({"p": {"x": "2"}, "q": {"r": "1"}, "t": {}})
    work = copy.deepcopy(a)
    apply_ops(work, diff_dirs(copy.deepcopy(a), b))
    assert work == b
    apply_ops(work, plan(copy.deepcopy(b), a))
    assert work == a


def test_names_in_order():
    old = build({"c": "1", "a": {"x": "1"}, "b": "1"})
    new = build({"c": {}, "a": "1", "d": "1"})
    ops = [f"{op.kind} {op.path}" for op in diff_dirs(old, new)]
    assert ops == ["delete a/x", "rmdir a", "write a", "delete b", "delete c", "mkdir c", "write d"]


def test_plan_with_change_of_type():
    ops = plan(build({"p": "1", "old": "1"}), build({"p": {"q": "1"}}), keep=["old"])
    assert [(op.kind, op.path) for op in ops] == [("delete", "p"), ("mkdir", "p"), ("write", "p/q")]


def test_is_lazy_enough_to_be_listed_twice():
    old, new = build({"p": {}}), build({"p": "1"})
    assert list(diff_dirs(old, new)) == list(diff_dirs(old, new))
    assert isinstance(new.children["p"], File) and isinstance(old.children["p"], Dir)
