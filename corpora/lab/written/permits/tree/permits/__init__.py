"""Who may do what: roles, rules and the question ``Policy.allows``."""
