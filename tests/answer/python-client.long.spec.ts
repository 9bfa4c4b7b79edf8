import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensurePythonPrograms, mcpClient, run } from "@pulumi-static-export/toolchain";
import { createAnswerServer } from "../../answer/src/index.js";
import { siteWithReaders, withAnsweredSite } from "./support/answered-site.js";

const program = fileURLToPath(new URL("support/python-client.py", import.meta.url));

interface ReadByPython {
    readonly revision: string;
    readonly tools: readonly (readonly [name: string, isReadOnly: boolean])[];
    readonly found: string;
    readonly page: string;
    readonly pages: string;
    readonly resource: string;
    /** All parts of the long page. */
    readonly long: string;
    readonly excerpt: string;
}

const settings = siteWithReaders["docs.json"]?.replace('"guides/start"', '"guides/start","long"') ?? "";

/** At any limit of an even number of units, the second half would begin inside an emoji. */
const long = `# Long\n\nAn emoji: ${"😀".repeat(60_000)}\n`;

describe("The MCP server and the Python client", function () {
    this.timeout(300_000);

    it("use the stateless protocol revision, and the client searches, reads and lists pages", async () => {
        const programs = await ensurePythonPrograms(mcpClient);
        await withAnsweredSite(
            { ...siteWithReaders, "docs.json": settings, "long.md": long },
            async (site) => {
                const errors: string[] = [];
                const server = createAnswerServer({ site, version: "1.2.3", onError: (error) => errors.push(error) });
                try {
                    const address = await server.listen({ port: 0, host: "127.0.0.1" });
                    const output = await run(join(programs, "python"), [program, `${address}/mcp`]);
                    const read = JSON.parse(output) as ReadByPython;
                    assert.equal(read.revision, "2026-07-28");
                    assert.deepEqual(read.tools, [
                        ["search", true],
                        ["read_page", true],
                        ["list_pages", true],
                    ]);
                    assert.match(read.found, /^Start – Next steps\n\/guides\/start#next-steps\n/);
                    assert.match(read.page, /^# Start\n\nInstall the walrus/);
                    assert.match(read.pages, /^\/ · Home · Where to begin\.\n\/guides\/start · Start(?:\n|$)/);
                    assert.match(read.resource, /^# Walrus\n/);
                    assert.equal(read.long, long);
                    assert.match(read.excerpt, /^Long\n\/long\nLong An emoji:/);
                    assert.deepEqual(errors, []);
                } finally {
                    await server.close();
                }
            },
            { privatePages: "keep-apart" },
        );
    });
});
