import { type SitePlan } from "../../plan/site-plan.js";
import { siteUrl } from "../../read/files/routes.js";
import { type WrittenFile } from "../search/site-search.js";

/** The files by which programs find the site's MCP server; no files for a site without a server. */
export function* mcpDiscoveryFiles({ features, targets }: SitePlan, siteName: string): Generator<WrittenFile> {
    if (!features.mcp) {
        return;
    }
    const url = siteUrl(targets, "mcp");
    const server = { url, transport: "http", authentication: "none" };
    const discovery = { version: "1.0.0", transport: "http", url, servers: [{ name: "public", ...server }] };
    const card = {
        name: siteName,
        version: "1.0.0",
        description: `Search and read ${siteName}`,
        ...server,
        capabilities: { tools: true, resources: true },
    };
    for (const [file, content] of [
        ["mcp.json", discovery],
        ["mcp/server-card.json", card],
        ["mcp/server-cards.json", { servers: [card] }],
    ] as const) {
        yield [`.well-known/${file}`, `${JSON.stringify(content, undefined, 2)}\n`];
    }
}
