import pytest

from finder import page_numbers, paginate
from finder.paging import count_pages, render_bar


@pytest.mark.parametrize("items, per_page, pages", [(0, 10, 0), (1, 10, 1), (10, 10, 1), (11, 10, 2)])
def test_count_pages(items, per_page, pages):
    assert count_pages(items, per_page) == pages


def test_count_pages_bad_size():
    with pytest.raises(ValueError):
        count_pages(3, 0)


def test_paginate_middle():
    page = paginate(range(25), 2, 10)
    assert page.items == tuple(range(10, 20))
    assert page.has_next and page.has_previous


def test_paginate_last():
    page = paginate(range(25), 3, 10)
    assert page.items == (20, 21, 22, 23, 24)
    assert not page.has_next


def test_paginate_out_of_range():
    assert paginate(range(25), 99).number == 3
    assert paginate(range(25), -1).number == 1
    assert paginate([], 1).items == ()


def test_numbers_without_pages():
    assert page_numbers(1, 0) == []


def test_numbers_few_pages():
    assert page_numbers(1, 1) == [1]
    assert page_numbers(2, 3) == [1, 2, 3]


def test_numbers_at_the_ends():
    assert page_numbers(1, 10) == [1, 2, 3, None, 10]
    assert page_numbers(10, 10) == [1, None, 8, 9, 10]


def test_numbers_in_the_middle():
    assert page_numbers(7, 14) == [1, None, 5, 6, 7, 8, 9, None, 14]


def test_numbers_around():
    assert page_numbers(8, 15, around=1) == [1, None, 7, 8, 9, None, 15]
    assert page_numbers(8, 15, around=0) == [1, None, 8, None, 15]


def test_numbers_no_dots_for_one_page():
    assert page_numbers(5, 7) == [1, 2, 3, 4, 5, 6, 7]


def test_numbers_beyond_the_end():
    assert page_numbers(99, 10) == [1, None, 8, 9, 10]


def test_render_bar():
    assert render_bar(7, 14, around=1) == "1 .. 6 [7] 8 .. 14"
