"""The servers: they import and collect once, then answer the engine's requests from forks."""
