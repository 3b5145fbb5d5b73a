"""The environment variables that ``repair hook`` reads. They are no options: no file of a project can set them."""

MODE = "REPAIR_HOOK"
"""off: nothing is judged; tell: the agent is never sent back; ask, the default: it is."""

SECONDS = "REPAIR_HOOK_SECONDS"
"""The whole time of a hook."""

HOOK_VARIABLES = (MODE, SECONDS)
