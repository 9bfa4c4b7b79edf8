import assert from "node:assert/strict";
import { join } from "node:path";
import { ensureNpmPackage, mcpInspector, run } from "@pulumi-static-export/toolchain";
import { withAnsweredSite } from "./support/answered-site.js";
import { serveSite } from "./support/answering.js";
import { siteWithSkills } from "./support/site-with-skills.js";

describe("The MCP server and the official inspector", function () {
    this.timeout(300_000);

    it("agree on tools, answers and resources", async () => {
        const launcher = join(await ensureNpmPackage(mcpInspector), "clients/launcher/build/index.js");
        await withAnsweredSite(siteWithSkills, (site) =>
            serveSite(site, {}, async ({ address, errors }) => {
                const inspect = async (...args: string[]): Promise<unknown> => {
                    const target = ["--cli", `${address}/mcp`, "--transport", "http", "--method"];
                    return JSON.parse(await run(process.execPath, [launcher, ...target, ...args]));
                };
                const { tools } = (await inspect("tools/list")) as { tools: { name: string }[] };
                assert.deepEqual(
                    tools.map(({ name }) => name),
                    ["search", "read_page", "list_pages"],
                );
                const called = ["--tool-name", "search", "--tool-arg", "query=clams"];
                assert.deepEqual(await inspect("tools/call", ...called), {
                    content: [
                        {
                            type: "text",
                            text: "Start – Next steps\n/guides/start#next-steps\nFeed the walrus with clams.",
                        },
                    ],
                });
                const { resources } = (await inspect("resources/list")) as { resources: { uri: string }[] };
                assert.ok(resources.some(({ uri }) => uri === "docs:///skills/feeding/SKILL.md"));
                assert.deepEqual(errors, []);
            }),
        );
    });
});
