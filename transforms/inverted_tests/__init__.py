"""Tests that ask for the opposite: a file of tests whose assertions cannot hold where the old ones do."""
