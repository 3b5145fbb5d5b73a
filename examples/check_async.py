"""Judge what the working tree changed since the last commit, awaited: ``python check_async.py PROJECT``."""

import asyncio
import sys

import repair

LONGEST_SECONDS = 90


async def main(root: str) -> None:
    """Print the word; where it takes too long the run is cancelled, and has ended by then."""
    judging = repair.check_async(since="HEAD", root=root, max_seconds=60)
    try:
        result = await asyncio.wait_for(judging, LONGEST_SECONDS)
    except TimeoutError:
        print("no verdict in time")
        return
    for patch in result.patches:
        print(f"{patch.status}: {patch.function}")
        for gate in patch.evidence:
            if gate.decision != "accept":
                print(f"  {gate.gate}: {gate.claim}")
    print(result.status)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
