import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { exportSite } from "../../exporter/src/write/export-site.js";
import { siteWithReaders } from "../answer/support/answered-site.js";
import { writeFiles } from "../exporter/support/site-fixture.js";
import { bin, Command } from "./support/command.js";

/** Serves a folder like a typical web server, with 404 for missing files. */
async function serveFolder(folder: string): Promise<{ server: Server; address: string }> {
    const server = createServer(({ url = "/" }, response) => {
        createReadStream(join(folder, decodeURIComponent(url)))
            .on("error", () => response.writeHead(404).end())
            .pipe(response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

describe("static-export", () => {
    let folder: string;
    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-spec-"));
        await writeFiles(folder, { "tmp/.keep": "", "empty/.keep": "" });
        await writeFiles(join(folder, "docs"), siteWithReaders);
        const site = { sourceDir: join(folder, "docs"), domain: "docs.example.com" };
        await exportSite({ ...site, outDir: join(folder, "site") });
        await exportSite({ ...site, archivePath: join(folder, "site.tar.gz") });
    });
    after(() => rm(folder, { recursive: true, force: true }));
    afterEach(async () => {
        assert.deepEqual(await readdir(join(folder, "tmp")), [".keep"], "something was left in the temporary folder");
    });

    const env = () => ({ TMPDIR: join(folder, "tmp") });
    const run = (...args: string[]) => new Command(args, { cwd: folder, env: env() });

    async function withAgent(place: string, use: (client: Client) => Promise<void>): Promise<void> {
        const client = new Client({ name: "spec", version: "1" }, { versionNegotiation: { mode: "auto" } });
        const args = [bin, "mcp", place];
        const settings = { command: process.execPath, args, cwd: folder, env: env(), stderr: "ignore" } as const;
        await client.connect(new StdioClientTransport(settings));
        try {
            await use(client);
        } finally {
            await client.close();
        }
    }

    async function search(client: Client, query: string): Promise<string> {
        const { content } = await client.callTool({ name: "search", arguments: { query } });
        return (content as { text: string }[])[0]?.text ?? "";
    }

    it("answer unpacks an archive, serves it until Ctrl-C, and removes the unpacked files", async () => {
        const answering = run("answer", "site.tar.gz", "--port", "0");
        const [, address] = await answering.prints(/MCP of "Walrus" at (\S+)/);
        const response = await fetch(`${address}/v1/search/docs.example.com`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: '{"query":"clams"}',
        });
        assert.equal(((await response.json()) as { path: string }[])[0]?.path, "guides/start#next-steps");
        answering.signal("SIGINT");
        assert.equal((await answering.exited).exitCode, 130);
    });

    it("answer says that its port is in use, without a stack trace", async () => {
        const { server, address } = await serveFolder(folder);
        try {
            const { port } = new URL(address);
            const { exitCode, stderr } = await run("answer", "site", "--port", port).exited;
            assert.equal(exitCode, 2);
            assert.match(stderr, new RegExp(`^error: Port ${port} of 127.0.0.1 is in use: `));
            assert.doesNotMatch(stderr, /\n\s+at /);
        } finally {
            server.close();
        }
    });

    it("mcp answers the official client over standard input and output", () =>
        withAgent("site", async (client) => {
            assert.equal(client.getServerVersion()?.title, "Walrus");
            assert.match(await search(client, "clams"), /^Start – Next steps\n\/guides\/start#next-steps\n/);
        }));

    const startMcp = (place: string) =>
        spawn(process.execPath, [bin, "mcp", place], { cwd: folder, env: { ...process.env, ...env() } });

    it("mcp answers requests that are piped into it, ends, and removes the unpacked files", async () => {
        const mcp = startMcp("site.tar.gz");
        const params = { name: "search", arguments: { query: "clams" } };
        mcp.stdin.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }));
        const [output, end] = await Promise.all([text(mcp.stdout), once(mcp, "exit")]);
        assert.match(output, /guides\/start#next-steps/);
        assert.deepEqual(end, [0, null]);
    });

    it("mcp ends on Ctrl-C, even if the agent does not close its end", async () => {
        const mcp = startMcp("site.tar.gz");
        await once(mcp.stderr, "data");
        mcp.kill("SIGINT");
        assert.deepEqual(await once(mcp, "exit"), [130, null]);
    });

    it("mcp reads a site at an address", async () => {
        const { server, address } = await serveFolder(join(folder, "site"));
        try {
            await withAgent(address, async (client) => {
                assert.match(await search(client, "clams"), /^Start – Next steps\n/);
                assert.equal(await search(client, "okapi"), "Nothing found. Try fewer or other words.");
            });
        } finally {
            server.close();
        }
    });

    it("explains what is wrong with the site's location or the options of answer and mcp", async () => {
        const errorOf = async (...args: string[]) => {
            const { exitCode, stderr } = await run(...args).exited;
            return [exitCode, stderr];
        };
        const neither = "This is not an exported site: it has neither llms.txt nor index.html.";
        assert.deepEqual(await errorOf("mcp", "empty"), [2, `error: empty: ${neither}\n`]);
        assert.deepEqual(await errorOf("answer", "./missing"), [
            2,
            "error: There is no folder or archive ./missing.\n",
        ]);
        assert.deepEqual(await errorOf("answer", "site", "--groups-header", "X-Groups"), [
            2,
            "error: --groups-header and --user-header belong together: set both.\n",
        ]);
    });
});
