from tasks import Task, next_task


def test_new_task():
    assert Task(1, "write", steps=3).remaining == 3


def test_work():
    task = Task(1, "write", steps=3)
    assert task.work(2) == 0
    assert task.remaining == 1
    assert task.work(5) == 4
    assert task.done


def test_tasks_below_count():
    assert Task(1, "book", below=[Task(1, "page", steps=2)]).remaining == 3


def test_work_below_counts():
    page = Task(1, "page", steps=2)
    book = Task(1, "book", below=[page])
    page.work()
    assert book.remaining == 2


def test_done_with_all_below():
    page = Task(1, "page")
    book = Task(1, "book", below=[page])
    book.work()
    assert not book.done
    page.work()
    assert book.done


def test_order():
    assert Task(1, "z") < Task(2, "a")


def test_next_task():
    urgent, later = Task(1, "u"), Task(2, "l")
    assert next_task([later, urgent]) is urgent
    urgent.work()
    assert next_task([later, urgent]) is later
    later.work()
    assert next_task([later, urgent]) is None
