import pytest

from conf import CycleError, Loader, MissingFile, load


@pytest.fixture
def write(tmp_path):
    def _write(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.conf").write_text(text)
        return tmp_path
    return _write


def test_sections(write):
    d = write(main="debug = yes\n[web]\nport = 80\n")
    assert load(d / "main.conf") == {"debug": True, "web.port": 80}


def test_missing_main_file(tmp_path):
    with pytest.raises(MissingFile):
        load(tmp_path / "main.conf")


def test_include_in_place(write):
    d = write(main="a = 1\nb = 1\ninclude other.conf\nc = 1\n", other="b = 2\nc = 2\n")
    assert load(d / "main.conf") == {"a": 1, "b": 2, "c": 1}


def test_include_keeps_section(write):
    d = write(main="[web]\ninclude other.conf\nport = 80\n", other="x = 1\n[db]\ny = 2\n")
    assert load(d / "main.conf") == {"x": 1, "db.y": 2, "web.port": 80}


def test_missing_include(write):
    d = write(main="include nothing.conf\n")
    with pytest.raises(MissingFile):
        load(d / "main.conf")


def test_optional_include(write):
    d = write(main="include? nothing.conf\na = 1\n")
    assert load(d / "main.conf") == {"a": 1}


def test_search_path(write, tmp_path):
    d = write(main="include shared.conf\n")
    lib = tmp_path / "lib"
    lib.mkdir()
    (lib / "shared.conf").write_text("a = 1\n")
    assert load(d / "main.conf", [lib]) == {"a": 1}


def test_file_including_itself(write):
    d = write(main="include main.conf\n")
    with pytest.raises(CycleError) as info:
        load(d / "main.conf")
    assert info.value.chain == ["main.conf", "main.conf"]


def test_cycle_of_two(write):
    d = write(main="include b.conf\n", b="include main.conf\n")
    with pytest.raises(CycleError):
        load(d / "main.conf")


def test_same_file_included_twice(write):
    d = write(main="include web.conf\ninclude db.conf\n",
              web="include common.conf\nweb = 1\n",
              db="include common.conf\ndb = 1\n",
              common="user = root\n")
    assert load(d / "main.conf") == {"user": "root", "web": 1, "db": 1}


def test_loader_can_load_again(write):
    d = write(main="a = 1\ninclude b.conf\n", b="b = 1\n")
    loader = Loader()
    assert loader.load(d / "main.conf") == {"a": 1, "b": 1}
    write(b="b = 2\n")
    assert loader.load(d / "main.conf") == {"a": 1, "b": 2}
