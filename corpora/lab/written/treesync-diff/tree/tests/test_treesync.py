import pytest

from treesync import File, Op, SyncError, apply_ops, build, diff_dirs, flatten, plan


def short(ops):
    return [(op.kind, op.path) for op in ops]


def test_flatten_is_sorted():
    tree = build({"b": "1", "a": {"z": "2"}})
    assert [path for path, _ in flatten(tree)] == ["a", "a/z", "b"]


def test_same_trees_need_nothing():
    tree = build({"a": {"b": "1"}, "c": "2"})
    assert list(diff_dirs(tree, build({"a": {"b": "1"}, "c": "2"}))) == []


def test_new_file_and_changed_file():
    ops = list(diff_dirs(build({"a": "1"}), build({"a": "2", "b": "3"})))
    assert ops == [Op("write", "a", b"2"), Op("write", "b", b"3")]


def test_new_directory():
    ops = diff_dirs(build({}), build({"d": {"e": {}, "f": "1"}}))
    assert short(ops) == [("mkdir", "d"), ("mkdir", "d/e"), ("write", "d/f")]


def test_removed_directory():
    ops = diff_dirs(build({"d": {"e": {"x": "1"}, "f": "1"}}), build({}))
    assert short(ops) == [("delete", "d/f"), ("delete", "d/e/x"), ("rmdir", "d/e"), ("rmdir", "d")]


def test_chmod_only():
    old = build({"run": File(b"x")})
    new = build({"run": File(b"x", executable=True)})
    assert list(diff_dirs(old, new)) == [Op("chmod", "run", executable=True)]


def test_file_becomes_directory():
    old = build({"conf": "a=1"})
    new = build({"conf": {"main.ini": "a=1"}})
    assert short(diff_dirs(old, new)) == [
        ("delete", "conf"), ("mkdir", "conf"), ("write", "conf/main.ini")]


def test_directory_becomes_file():
    old = build({"docs": {"a.txt": "1"}, "x": "1"})
    new = build({"docs": "all in one", "x": "1"})
    apply_ops(old, list(diff_dirs(old, new)))
    assert old == new


def test_plan_keeps():
    ops = plan(build({"a": "1", "b": "2"}), build({}), keep=["b"])
    assert short(ops) == [("delete", "a")]


def test_apply_is_strict():
    with pytest.raises(SyncError):
        apply_ops(build({"d": {"x": "1"}}), [Op("rmdir", "d")])
    with pytest.raises(SyncError):
        apply_ops(build({}), [Op("write", "d/x")])


def test_round_trip():
    old = build({"src": {"a.py": "1", "b.py": "2"}, "old": {"x": {"y": "1"}}})
    new = build({"src": {"a.py": "1", "c": {"d.py": "3"}}, "readme": "hi"})
    apply_ops(old, plan(old, new))
    assert old == new
