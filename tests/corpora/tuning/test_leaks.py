"""What a prompt gives away of tasks: names, values and passages, whole or in parts that several edits bring."""

from corpora.tuning.leaks import TaskText, find_leak, read_tasks

FIRST = "Write a function. Call helper_one where it fits. Mind the answer.\n"


def test_a_plain_word_of_three_projects_is_free_and_any_other_name_is_not():
    texts = [f"def run_{n}(value, basket{n}):\n    first = value\n    return 'blue'" for n in range(3)]
    known = read_tasks(texts, ["first_name", "value"])
    assert find_leak("Return the first one.", known, "") == ""
    assert find_leak("Say blue.", known, "") == ""
    assert "'value'" in find_leak("Mind the value.", known, "")
    assert "'run1'" in find_leak("Call run_1.", known, "")
    assert "'first'" in find_leak("Return the first one.", read_tasks(texts[:2]), "")


def test_a_name_that_three_projects_require_is_a_form_and_no_secret():
    assert find_leak("Call it solve_it.", read_tasks([], ["solve_it"] * 2), "")
    assert find_leak("Call it solve_it.", read_tasks([], ["solve_it"] * 3), "") == ""


def test_names_of_python_are_nobodys():
    known = read_tasks(["def f(x):\n    return sorted(x)\n"])
    assert find_leak("Use sorted where order matters, and print nothing.", known, "") == ""


def test_everyday_words_are_no_short_names():
    known = read_tasks(["def add(a, b): ...\ndef fib(n): ...\n"])
    assert find_leak("Add a test.", known, "") == ""
    assert "'fib'" in find_leak("Think of fib.", known, "")


def test_what_the_first_prompt_says_is_public_as_a_whole_and_in_parts():
    known = read_tasks(["def helper_one(answer):\n    where it fits mind the answer twice\n"])
    assert find_leak(FIRST, known, FIRST) == ""
    in_words = FIRST.replace("helper_one", "helper one")
    assert find_leak(f"{in_words}Helper one is good.\n", known, in_words) == ""
    assert "it fits mind the answer" in find_leak(FIRST.replace(". Mind", " mind"), known, FIRST.replace("fits.", ""))


def test_an_added_half_joins_what_the_first_prompt_ends_with():
    known = read_tasks(["the answer is always forty minutes late"])
    assert "answer is always forty minutes" in find_leak(
        f"{FIRST}Answers differ.\nIs always forty minutes late.\n", known, FIRST
    )


def test_pieces_far_from_each_other_in_a_task_are_no_passage():
    between = " ".join(f"word{n}" for n in range(20))
    known = read_tasks([f"green apples fall {between} under heavy clouds"])
    assert find_leak("See green apples fall. Go under heavy clouds.", known, "") == ""
    known = read_tasks(["green apples fall slowly under heavy clouds"])
    assert "in pieces" in find_leak("See green apples fall. Go under heavy clouds.", known, "")


def test_a_piece_that_a_task_repeats_is_no_passage():
    known = read_tasks(["green apples fall where green apples fall"])
    assert find_leak("See green apples fall.", known, "") == ""


def test_a_phrase_of_three_projects_gives_no_passage_away():
    known = read_tasks(["green apples fall slowly under heavy clouds"] * 3)
    assert find_leak("See green apples fall. Go under heavy clouds.", known, "") == ""


def test_the_record_is_read_as_it_was_written():
    known = read_tasks(["def f(): return 'blue sky'"], ["g_h"])
    assert TaskText.from_json(known.to_json()) == known
    assert known.schema == "repair.tune-tasks/1"
