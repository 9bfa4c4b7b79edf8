import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type AnswerServerSettings, createAnswerServer, type ExportedSite } from "../../answer/src/index.js";
import { siteWithReaders, withAnsweredSite } from "./support/answered-site.js";

const readerHeaders = { user: "X-User", groups: "X-Groups", separator: "," };
const asA = { "x-user": "ann", "x-groups": "a,staff" };

interface Answering {
    readonly address: string;
    readonly errors: string[];
    /** @returns the status and the body */
    readonly post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<[number, unknown]>;
    /** An official client with the newest protocol revision, or an earlier one. */
    readonly connect: (
        path: string,
        era: "auto" | "legacy",
        headers?: Record<string, string>,
    ) => Promise<{ call: (tool: string, args: object) => Promise<string>; client: Client }>;
}

async function withServer(
    use: (answering: Answering) => Promise<void>,
    settings: Partial<AnswerServerSettings> = {},
): Promise<void> {
    await withAnsweredSite(siteWithReaders, (site) => serveSite(site, settings, use), { privatePages: "keep-apart" });
}

async function serveSite(
    site: ExportedSite,
    settings: Partial<AnswerServerSettings>,
    use: (answering: Answering) => Promise<void>,
): Promise<void> {
    const errors: string[] = [];
    const onError = (message: string) => void errors.push(message);
    const server = createAnswerServer({ site, version: "1.2.3", readerHeaders, onError, ...settings });
    const clients: Client[] = [];
    try {
        const address = await server.listen({ port: 0, host: "127.0.0.1" });
        await use({
            address,
            errors,
            post: async (path, body, headers = {}) => {
                const response = await fetch(address + path, {
                    method: "POST",
                    headers: { "content-type": "application/json", ...headers },
                    body: typeof body === "string" ? body : JSON.stringify(body),
                });
                return [response.status, await response.json()];
            },
            connect: async (path, mode, headers = {}) => {
                const client = new Client({ name: "spec", version: "1" }, { versionNegotiation: { mode } });
                clients.push(client);
                const options = { requestInit: { headers } };
                await client.connect(new StreamableHTTPClientTransport(new URL(path, address), options));
                return { client, call: (tool, args) => callTool(client, tool, args) };
            },
        });
    } finally {
        await Promise.all(clients.map((client) => client.close()));
        await server.close();
    }
}

async function callTool(client: Client, name: string, args: object): Promise<string> {
    const { content } = await client.callTool({ name, arguments: { ...args } });
    const [first] = content as { text: string }[];
    return first?.text ?? "";
}

describe("The search API of an exported site", () => {
    it("answers with content, path and metadata of sections, as the platform does", () =>
        withServer(async ({ post }) => {
            const [status, hits] = await post("/v1/search/docs.example.com", { query: "clams", pageSize: 1 });
            assert.equal(status, 200);
            assert.deepEqual(hits, [
                {
                    content: "Feed the walrus with clams.",
                    path: "guides/start#next-steps",
                    metadata: { title: "Start", heading: "Next steps" },
                },
            ]);
        }));

    it("gives a page as Markdown, and 404 for one that does not exist", () =>
        withServer(async ({ post }) => {
            const [status, page] = await post("/v1/page/docs.example.com", { path: "guides/start" });
            assert.equal(status, 200);
            assert.deepEqual(Object.keys(page as object), ["content", "path"]);
            assert.deepEqual(await post("/v1/page/docs.example.com", { path: "nowhere" }), [
                404,
                { error: "There is no page nowhere." },
            ]);
        }));

    it("finds private pages only for readers whose groups the proxy names", () =>
        withServer(async ({ post }) => {
            const find = async (headers: Record<string, string>) => {
                const [, hits] = await post("/v1/search/x", { query: "narwhal" }, headers);
                return (hits as { path: string }[]).map(({ path }) => path);
            };
            assert.deepEqual(await find(asA), ["only-a"]);
            assert.deepEqual(await find({}), []);
            assert.deepEqual(await find({ "x-groups": "a" }), [], "groups without a reader");
            assert.deepEqual(await find({ "x-user": "ann", "x-groups": "b, a" }), [], "a header that was sent twice");
        }));

    it("accepts group names beyond ASCII, which proxies send as UTF-8", () =>
        withAnsweredSite(
            { ...siteWithReaders, "only-b.md": "---\ntitle: B\ngroups: [größe]\n---\nA beluga.\n" },
            (site) =>
                serveSite(site, {}, async ({ post }) => {
                    const groups = Buffer.from("größe").toString("latin1");
                    const [, hits] = await post("/v1/search/x", { query: "beluga" }, { ...asA, "x-groups": groups });
                    assert.deepEqual(
                        (hits as { path: string }[]).map(({ path }) => path),
                        ["only-b"],
                    );
                }),
            { privatePages: "keep-apart" },
        ));

    it("says what is wrong with a request", () =>
        withServer(
            async ({ post, errors }) => {
                assert.equal((await post("/v1/search/docs.example.com", {}))[0], 400);
                assert.equal((await post("/v1/search/docs.example.com", { query: "x".repeat(501) }))[0], 400);
                assert.equal((await post("/v1/search/docs.example.com", "{"))[0], 400);
                assert.deepEqual(await post("/v1/search/other.example.com", { query: "walrus" }), [
                    404,
                    { error: "This server answers for docs.example.com." },
                ]);
                assert.equal((await post("/nowhere", {}))[0], 404);
                assert.deepEqual(errors, []);
            },
            { domain: "docs.example.com" },
        ));
});

describe("The MCP server of an exported site", () => {
    for (const era of ["auto", "legacy"] as const) {
        const revision = era === "auto" ? "the stateless revision" : "the revisions before it";
        it(`searches, reads and lists pages for the official client, in ${revision}`, () =>
            withServer(async ({ connect }) => {
                const { client, call } = await connect("/mcp", era);
                const { tools } = await client.listTools();
                assert.deepEqual(
                    tools.map(({ name }) => name),
                    ["search", "read_page", "list_pages"],
                );
                assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint && annotations.idempotentHint));
                assert.equal(
                    await call("search", { query: "clams" }),
                    "Start – Next steps\n/guides/start#next-steps\nFeed the walrus with clams.",
                );
                assert.match(await call("read_page", { path: "/guides/start" }), /^# Start\n\nInstall the walrus/);
                assert.equal(await call("list_pages", {}), "/ · Home · Where to begin.\n/guides/start · Start");
                const { contents } = await client.readResource({ uri: "docs:///llms.txt" });
                assert.match((contents[0] as { text: string }).text, /^# Walrus\n/);
            }));
    }

    it("says what to do when nothing is found", () =>
        withServer(async ({ connect }) => {
            const { call } = await connect("/mcp", "auto");
            assert.equal(await call("search", { query: "okapi" }), "Nothing found. Try fewer or other words.");
            assert.equal(
                await call("read_page", { path: "/okapi" }),
                "There is no page /okapi. Find pages with search or list_pages.",
            );
            assert.equal(await call("list_pages", { prefix: "/okapi" }), "There are no pages below this path.");
        }));

    it("shows private pages at /authed/mcp to their readers, and never at /mcp", () =>
        withServer(async ({ connect, post }) => {
            const everybody = await connect("/mcp", "auto", asA);
            assert.doesNotMatch(await everybody.call("search", { query: "walrus", limit: 20 }), /narwhal|Plan|Members/);
            assert.doesNotMatch(await everybody.call("list_pages", {}), /Plan|Members/);
            const reader = await connect("/authed/mcp", "auto", asA);
            assert.match(await reader.call("search", { query: "narwhal" }), /^Plan A\n\/only-a\n/);
            assert.match(await reader.call("read_page", { path: "/signed-in" }), /of members/);
            assert.match(await reader.call("read_page", { path: "/only-b" }), /^There is no page/);
            assert.doesNotMatch(await reader.call("list_pages", {}), /Plan B/);
            assert.deepEqual(await post("/authed/mcp", {}), [401, { error: "Sign in first." }]);
        }));

    it("refuses requests from other sites' pages in a browser", () =>
        withServer(async ({ address, post }) => {
            const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
            const accept = "application/json, text/event-stream";
            const [status] = await post("/mcp", ping, { accept, origin: "https://evil.example.com" });
            assert.equal(status, 403);
            const own = await fetch(`${address}/mcp`, {
                method: "POST",
                headers: { accept, origin: address, "content-type": "application/json" },
                body: JSON.stringify(ping),
            });
            assert.equal(own.status, 200);
        }));
});
