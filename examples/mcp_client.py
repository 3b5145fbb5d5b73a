"""Ask the judge by the Model Context Protocol, as an agent does: ``python mcp_client.py PROJECT``."""

import sys

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main(root: str) -> None:
    """Judge what the working tree changed; while it runs, ask again by its job."""
    server = StdioServerParameters(command="repair-engine", args=["mcp", "--root", root, "--max-seconds", "60"])
    async with Client(stdio_client(server)) as client:
        told = (await client.call_tool("check_patch", {"since": "HEAD"})).structured_content or {}
        while told.get("running"):
            told = (await client.call_tool("job_result", {"job": told["job"]})).structured_content or {}
        print(told.get("said", ""))
        print(told["status"])


if __name__ == "__main__":
    anyio.run(main, sys.argv[1])
