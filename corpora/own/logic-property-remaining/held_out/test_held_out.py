from tasks import Task


def test_three_levels():
    leaf = Task(1, "leaf", steps=4, finished=1)
    middle = Task(1, "middle", below=[leaf, Task(1, "other")])
    top = Task(1, "top", steps=2, finished=2, below=[middle])
    assert (leaf.remaining, middle.remaining, top.remaining) == (3, 5, 5)
