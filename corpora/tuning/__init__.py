"""``repair tune``: a prompt that improves itself, one small edit at a time, each tested against the accepted one."""
