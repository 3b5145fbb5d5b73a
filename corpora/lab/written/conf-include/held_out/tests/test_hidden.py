import pytest

from conf import CycleError, Loader, MissingFile, SyntaxProblem, load


@pytest.fixture
def write(tmp_path):
    def _write(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.conf").write_text(text)
        return tmp_path
    return _write


def test_twice_in_one_file_each_counts(write):
    d = write(main="include c.conf\nx = 2\ninclude c.conf\n", c="x = 1\n")
    assert load(d / "main.conf") == {"x": 1}


def test_diamond_second_include_wins_again(write):
    d = write(main="include a.conf\ninclude b.conf\n",
              a="include c.conf\nx = 5\n", b="include c.conf\n", c="x = 1\n")
    assert load(d / "main.conf") == {"x": 1}


def test_three_times(write):
    d = write(main="include c.conf\n" * 3, c="x = 1\n")
    assert load(d / "main.conf") == {"x": 1}


def test_cycle_of_three_chain(write):
    d = write(main="include b.conf\n", b="include c.conf\n", c="include main.conf\n")
    with pytest.raises(CycleError) as info:
        load(d / "main.conf")
    assert info.value.chain == ["main.conf", "b.conf", "c.conf", "main.conf"]


def test_cycle_not_through_main(write):
    d = write(main="include a.conf\n", a="include b.conf\n", b="include c.conf\n", c="include a.conf\n")
    with pytest.raises(CycleError) as info:
        load(d / "main.conf")
    assert info.value.chain == ["a.conf", "b.conf", "c.conf", "a.conf"]


def test_cycle_after_finished_includes(write):
    d = write(main="include x.conf\ninclude b.conf\n", x="x = 1\n",
              b="include x.conf\ninclude main.conf\n")
    with pytest.raises(CycleError) as info:
        load(d / "main.conf")
    assert info.value.chain == ["main.conf", "b.conf", "main.conf"]


def test_self_include_after_other_include(write):
    d = write(main="include x.conf\ninclude main.conf\n", x="x = 1\n")
    with pytest.raises(CycleError) as info:
        load(d / "main.conf")
    assert info.value.chain == ["main.conf", "main.conf"]


def test_cycle_message(write):
    d = write(main="include b.conf\n", b="include main.conf\n")
    with pytest.raises(CycleError, match="main.conf -> b.conf -> main.conf"):
        load(d / "main.conf")


def test_cycle_with_dotted_path(write, tmp_path):
    d = write(main="include sub/../main.conf\n")
    (tmp_path / "sub").mkdir()
    with pytest.raises(CycleError) as info:
        load(d / "main.conf")
    assert info.value.chain == ["main.conf", "main.conf"]


def test_same_name_in_other_folder_is_no_cycle(write, tmp_path):
    d = write(main="include sub/main.conf\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "main.conf").write_text("a = 1\n")
    assert load(d / "main.conf") == {"a": 1}


def test_load_again_after_syntax_error(write):
    d = write(main="include b.conf\n", b="???\n")
    loader = Loader()
    with pytest.raises(SyntaxProblem):
        loader.load(d / "main.conf")
    write(b="b = 1\n")
    assert loader.load(d / "main.conf") == {"b": 1}


def test_load_again_after_missing_include(write):
    d = write(main="include b.conf\n")
    loader = Loader()
    with pytest.raises(MissingFile):
        loader.load(d / "main.conf")
    write(b="b = 1\n")
    assert loader.load(d / "main.conf") == {"b": 1}


def test_load_again_after_cycle(write):
    d = write(main="include b.conf\n", b="include main.conf\n")
    loader = Loader()
    for _ in range(2):
        with pytest.raises(CycleError) as info:
            loader.load(d / "main.conf")
        assert info.value.chain == ["main.conf", "b.conf", "main.conf"]
    write(b="b = 1\n")
    assert loader.load(d / "main.conf") == {"b": 1}


def test_load_again_after_missing_main(tmp_path):
    loader = Loader()
    with pytest.raises(MissingFile):
        loader.load(tmp_path / "main.conf")
    (tmp_path / "main.conf").write_text("a = 1\n")
    assert loader.load(tmp_path / "main.conf") == {"a": 1}


def test_syntax_error_in_optional_include_is_reported(write):
    d = write(main="include? b.conf\n", b="???\n")
    with pytest.raises(SyntaxProblem):
        load(d / "main.conf")


def test_optional_cycle_is_an_error(write):
    d = write(main="include? main.conf\n")
    with pytest.raises(CycleError):
        load(d / "main.conf")


def test_section_after_repeated_include(write):
    d = write(main="[s]\ninclude c.conf\na = 1\ninclude c.conf\nb = 2\n", c="[t]\nx = 1\n")
    assert load(d / "main.conf") == {"t.x": 1, "s.a": 1, "s.b": 2}


def test_relative_to_including_file(write, tmp_path):
    d = write(main="include sub/a.conf\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.conf").write_text("include b.conf\n")
    (tmp_path / "sub" / "b.conf").write_text("b = 1\n")
    assert load(d / "main.conf") == {"b": 1}


def test_two_main_files_one_loader(write):
    d = write(a="include c.conf\na = 1\n", b="include c.conf\nb = 1\n", c="c = 1\n")
    loader = Loader()
    assert loader.load(d / "a.conf") == {"c": 1, "a": 1}
    assert loader.load(d / "b.conf") == {"c": 1, "b": 1}


def test_load_included_file_on_its_own_later(write):
    d = write(main="include c.conf\n", c="c = 1\n")
    loader = Loader()
    loader.load(d / "main.conf")
    assert loader.load(d / "c.conf") == {"c": 1}


def test_long_chain_is_no_cycle(write):
    files = {f"f{i}": f"include f{i + 1}.conf\nv{i} = {i}\n" for i in range(20)}
    files["f20"] = "v20 = 20\n"
    d = write(**files)
    assert len(load(d / "f0.conf")) == 21
