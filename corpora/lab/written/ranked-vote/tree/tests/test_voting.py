import unittest

from ballots import BallotError, parse_ballot, read_ballots
from results import percent, ranking, summary
from tally import borda, instant_runoff, plurality

ABC = ["ann", "bob", "cy"]


class ParseTest(unittest.TestCase):
    def test_plain(self):
        self.assertEqual(parse_ballot("Ann > cy", ABC), ["ann", "cy"])

    def test_unknown(self):
        with self.assertRaises(BallotError):
            parse_ballot("ann > zed", ABC)

    def test_twice(self):
        with self.assertRaises(BallotError):
            parse_ballot("ann > bob > ann", ABC)

    def test_comments(self):
        self.assertEqual(read_ballots("# x\nann\n\nbob > cy\n", ABC), [["ann"], ["bob", "cy"]])


class CountTest(unittest.TestCase):
    def test_plurality(self):
        self.assertEqual(
            plurality([["ann"], ["bob", "ann"], ["ann"], []], ABC),
            {"ann": 2, "bob": 1, "cy": 0},
        )

    def test_borda(self):
        self.assertEqual(borda([["ann", "bob"], ["cy"]], ABC), {"ann": 2, "bob": 1, "cy": 2})

    def test_first_round_majority(self):
        winner, rounds = instant_runoff([["ann"], ["ann"], ["bob"]], ABC)
        self.assertEqual(winner, "ann")
        self.assertEqual(len(rounds), 1)

    def test_transfer(self):
        ballots = [["ann"]] * 4 + [["bob"]] * 3 + [["cy", "bob"]] * 2
        winner, rounds = instant_runoff(ballots, ABC)
        self.assertEqual(winner, "bob")
        self.assertEqual(rounds[-1], {"ann": 4, "bob": 5})

    def test_exhausted_ballots(self):
        ballots = [["ann"]] * 4 + [["bob"]] * 3 + [["cy"]] * 2
        winner, rounds = instant_runoff(ballots, ABC)
        self.assertEqual(winner, "ann")
        self.assertEqual(len(rounds), 2)


class ResultTest(unittest.TestCase):
    def test_percent(self):
        self.assertEqual(percent(1, 3), 33.3)
        self.assertEqual(percent(0, 0), 0.0)

    def test_ranking(self):
        self.assertEqual(ranking({"cy": 1, "bob": 2, "ann": 1}), ["bob", "ann", "cy"])

    def test_summary(self):
        self.assertEqual(
            summary([["ann", "cy"], ["ann"], ["bob"]], ABC),
            [
                "ann: 2 (66.7%)",
                "bob: 1 (33.3%)",
                "cy: 0 (0.0%)",
                "winner: ann after 1 round(s)",
                "borda: ann, bob, cy",
            ],
        )


if __name__ == "__main__":
    unittest.main()
