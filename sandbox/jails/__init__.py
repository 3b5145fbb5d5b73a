"""The kinds of isolation, one module each; ``sandbox.jail`` lists them and chooses."""
