import pytest

from repair.model.reply import ModelReply, Unusable
from repair.model.writing.sections import MOST_FILES, read_sections, section_marks
from repair.observe.parsing import check_sources
from repair.records.written import ReplyPart, WrittenFiles
from tests.fakes.made_replies import BAD, BOTH, CODE, END, GOOD, HEAD, IMPLEMENTATION, of_file

ALL = frozenset(ReplyPart)
ALONE = frozenset({ReplyPart.IMPLEMENTATION})


def check(files):
    return next((f"{each.path} cannot be parsed: {each.detail}" for each in check_sources(files)), "")


def read(text, wanted=ALL, **answer):
    return read_sections(ModelReply(text, **answer), wanted, check)


def wanted_in(name, text):
    """A reply that only shows files of the program is asked for these alone."""
    return ALL if "TESTS" in text or name in ("no implementation", "no tests") else ALONE


@pytest.mark.parametrize("name", GOOD)
def test_a_good_reply_gives_its_files(name):
    plain, found = read(BOTH), read(GOOD[name])
    assert isinstance(found, WrittenFiles)
    assert [path for path, _ in found.every] == ["shop/__init__.py", "shop/prices.py", "tests/test_prices.py"]
    if "docstring" not in name and "heading" not in name:
        assert [text.strip() for _, text in found.every] == [text.strip() for _, text in plain.every]


@pytest.mark.parametrize("name", BAD)
def test_a_bad_reply_is_refused_with_its_fault(name):
    kind, text = BAD[name]
    found = read(text, wanted_in(name, text))
    assert isinstance(found, Unusable), name
    assert (found.kind.value, "\n" in found.reason) == (kind, False)
    assert len(found.reason) < 500


@pytest.mark.parametrize("text", [BOTH, GOOD["a fence around all"], GOOD["talk around"]])
def test_a_reply_that_is_cut_anywhere_is_refused(text):
    end = text.index(END.strip()) + len(END.strip())
    for cut in range(0, end - 2, 7):
        found = read(text[:cut])
        assert isinstance(found, Unusable), cut
        assert found.kind.value in ("cut", "empty"), cut


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ({"finish": "length"}, "cut"),
        ({"finish": "content_filter"}, "filtered"),
        ({"refusal": "I cannot help."}, "refused"),
    ],
)
def test_a_whole_text_is_no_whole_answer_where_the_server_says_so(answer, kind):
    found = read(BOTH, **answer)
    assert isinstance(found, Unusable)
    assert found.kind.value == kind


def test_each_refusal_of_a_path_names_the_path_and_is_its_own_sentence():
    said = {read(text, ALONE).reason for kind, text in BAD.values() if kind == "outside" and "TESTS" not in text}
    ways = {reason.partition(": ")[2] for reason in said}
    assert {"the path leaves the folder", "links are not made"} < ways
    assert len(ways) >= 9


def test_a_section_that_was_not_asked_for_is_refused():
    found = read(BOTH, ALONE)
    assert isinstance(found, Unusable)
    assert "not asked for" in found.reason


def test_so_many_files_are_taken_and_no_more():
    files = "".join(f"# FILE: m{number}.py\n{CODE}" for number in range(MOST_FILES))
    found = read(HEAD + files + END, ALONE)
    assert isinstance(found, WrittenFiles)
    assert len(found.implementation) == MOST_FILES


def test_a_command_of_the_program_stays_and_a_runner_goes():
    command = f"{CODE}\n\nif __name__ == '__main__':\n    print(f())\n"
    found = read(of_file("a.py", command), ALONE)
    assert isinstance(found, WrittenFiles)
    assert b"print(f())" in found.implementation[0][1]
    runner = read(GOOD["runner at the end"])
    assert isinstance(runner, WrittenFiles)
    assert b"pytest.main" not in runner.tests[0][1]


def test_the_form_that_a_model_is_told_is_the_one_that_is_read():
    form = "\n".join(section_marks(ALL)).replace("the whole text of the file", CODE + "def test_f():\n    assert f()\n")
    assert isinstance(read(form), WrittenFiles)


def test_a_file_keeps_what_stands_in_it():
    found = read(IMPLEMENTATION + END, ALONE)
    assert isinstance(found, WrittenFiles)
    assert dict(found.implementation)["shop/prices.py"].decode() == IMPLEMENTATION.partition("prices.py\n")[2]
