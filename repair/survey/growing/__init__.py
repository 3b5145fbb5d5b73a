"""Tests that close what a suite leaves open, and who says so in each."""
