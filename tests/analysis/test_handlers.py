"""New handlers that let nothing of the exception out."""

import pytest

from analysis.handlers import Handler, new_handlers

OLD = """    def price(text):
        try:
            return int(text)
        except ValueError:
            return 0
"""


def after(body: str) -> str:
    return OLD.replace("            return 0\n", f"            return 0\n{body}")


@pytest.mark.parametrize(
    ("new", "found"),
    [
        (OLD, ()),
        (after("        except TypeError:\n            pass\n"), (Handler("TypeError", 6, 7),)),
        (after("        except:\n            return 1\n"), (Handler("anything", 6, 7),)),
        (OLD.replace("ValueError", "(ValueError, KeyError)"), (Handler("(ValueError, KeyError)", 4, 5),)),
        (OLD.replace("return 0", "return 1"), (Handler("ValueError", 4, 5),)),
        (after("        except TypeError:\n            raise ValueError(text) from None\n"), ()),
        (after("        except ImportError:\n            pass\n"), ()),
        (OLD.replace("int(text)", "float(text)"), ()),
        ("def price(:", ()),
    ],
)
def test_handlers_that_are_new(new: str, found: tuple[Handler, ...]) -> None:
    assert new_handlers(OLD, new) == found


def test_a_second_one_of_a_text_is_new() -> None:
    twice = OLD + OLD.split("\n", 1)[1]
    assert [handler.first for handler in new_handlers(OLD, twice)] == [8]


@pytest.mark.parametrize(("executed", "ran"), [({6}, True), ({7}, True), ({5, 8}, False), (set(), False)])
def test_a_handler_ran_when_an_exception_came_to_it(executed: set[int], ran: bool) -> None:
    assert Handler("TypeError", 6, 7).has_run(executed) is ran
