from tree import Node


def test_many():
    root = Node("r")
    nodes = [Node(str(n), root) for n in range(4)]
    assert nodes[2].siblings() == [nodes[0], nodes[1], nodes[3]]
    assert root.siblings() == []
    assert Node("c", nodes[0]).siblings() == []
