"""Reads a site through its MCP server, as an agent in Python does. Prints what it got as JSON."""

import asyncio
import json
import re
import sys

from mcp import Client


async def main(address: str) -> None:
    async with Client(address) as client:
        tools = (await client.list_tools()).tools
        found = await client.call_tool("search", {"query": "clams"})
        page = await client.call_tool("read_page", {"path": "/guides/start"})
        pages = await client.call_tool("list_pages", {})
        parts = []
        offset = 0
        while offset is not None:
            part = (await client.call_tool("read_page", {"path": "/long", "offset": offset})).content[0].text
            more = re.search(r"\n\n\(\d+ more characters: continue with offset (\d+)\.\)$", part)
            parts.append(part[: more.start()] if more else part)
            offset = int(more.group(1)) if more else None
        excerpt = await client.call_tool("search", {"query": "emoji"})
        resource = await client.read_resource("docs:///llms.txt")
        print(
            json.dumps(
                {
                    "revision": client.protocol_version,
                    "tools": [[tool.name, tool.annotations.read_only_hint] for tool in tools],
                    "found": found.content[0].text,
                    "page": page.content[0].text,
                    "pages": pages.content[0].text,
                    "long": "".join(parts),
                    "excerpt": excerpt.content[0].text,
                    "resource": resource.contents[0].text,
                }
            )
        )


asyncio.run(main(sys.argv[1]))
