"""The engine as a process that writes JSON lines, as any language would use it: ``python json_lines.py PROJECT``."""

import json
import subprocess
import sys


def main(root: str) -> None:
    """Print each phase as it begins, and the diff of an answer that is at least plausible."""
    command = ["repair-engine", "fix", "--root", root, "--accept", "plausible", "--output-format", "jsonl"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as engine:
        assert engine.stdout is not None
        for line in engine.stdout:
            said = json.loads(line)
            if said.get("type") == "phase":
                print(said["name"])
            elif said.get("schema") == "repair.result/1":
                for patch in said["patches"][:1]:
                    print(patch["diff"])
                print(said["status"])


if __name__ == "__main__":
    main(sys.argv[1])
