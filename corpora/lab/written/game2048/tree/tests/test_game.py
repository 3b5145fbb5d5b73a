import random

from game2048.game import Game, render


def test_start():
    game = Game(random.Random(1))
    assert sum(tile > 0 for row in game.board for tile in row) == 2
    assert game.score == 0
    assert not game.over


def test_useless_move():
    game = Game(random.Random(1))
    game.board = [[2, 0, 0, 0], [4, 0, 0, 0], [2, 0, 0, 0], [4, 0, 0, 0]]
    assert not game.play("left")
    assert game.score == 0


def test_score_and_goal():
    game = Game(random.Random(1), goal=16)
    game.board = [[8, 8, 0, 0]] + [[0] * 4 for _ in range(3)]
    assert game.play("left")
    assert game.score == 16
    assert game.won


def test_render():
    assert render([[2, 0], [16, 4]]) == "   2    .\n  16    4"
