import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { ExportedSite, FolderFiles } from "../../answer/src/index.js";
import { siteWithReaders, withAnsweredSite } from "./support/answered-site.js";
import { asA, serveSite, withServer } from "./support/answering.js";
import { siteWithSkills } from "./support/site-with-skills.js";

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

    it("offers the site's skills as resources, except skills for certain readers", () =>
        withAnsweredSite(siteWithSkills, (site) =>
            serveSite(site, {}, async ({ connect }) => {
                const { client } = await connect("/mcp", "auto");
                const { resources } = await client.listResources();
                assert.deepEqual(
                    resources
                        .filter(({ uri }) => uri.includes("/skills/"))
                        .map(({ uri, description }) => [uri, description]),
                    [
                        ["docs:///skills/feeding/SKILL.md", "Feeds a walrus."],
                        ["docs:///skills/washing/SKILL.md", "Washes a walrus."],
                    ],
                );
                const { contents } = await client.readResource({ uri: "docs:///skills/feeding/SKILL.md" });
                assert.match((contents[0] as { text: string }).text, /Take clams/);
            }),
        ));

    it("serves pages even if the list of skills is damaged", () =>
        withAnsweredSite(siteWithSkills, async (_, folder) => {
            const list = join(folder, ".well-known/agent-skills/index.json");
            for (const text of ["{", '{"skills":[null,{"name":"../x","description":"Leads out."},{"name":"a"}]}']) {
                await writeFile(list, text);
                await serveSite(await ExportedSite.open(new FolderFiles(folder)), {}, async ({ connect }) => {
                    const { client, call } = await connect("/mcp", "auto");
                    const { resources } = await client.listResources();
                    assert.deepEqual(
                        resources.map(({ uri }) => uri),
                        ["docs:///llms.txt"],
                    );
                    assert.match(await call("read_page", { path: "/guides/start" }), /^# Start/);
                });
            }
        }));

    it("offers skill.md only if the site has it", () =>
        withAnsweredSite(
            { ...siteWithReaders, "skill.md": "---\nname: a\ndescription: b\n---\nText\n" },
            async (site) => {
                const uris = async (of: ExportedSite) => {
                    let found: string[] = [];
                    await serveSite(of, {}, async ({ connect }) => {
                        const { resources } = await (await connect("/mcp", "auto")).client.listResources();
                        found = resources.map(({ uri }) => uri);
                    });
                    return found;
                };
                assert.ok((await uris(site)).includes("docs:///skill.md"));
                await withAnsweredSite(siteWithReaders, async (other) =>
                    assert.deepEqual(await uris(other), ["docs:///llms.txt"]),
                );
            },
        ));

    it("accepts null for omitted inputs, numbers as text, and filters that the whole site matches", () =>
        withServer(async ({ address }) => {
            for (const [name, inputs, expected] of [
                ["search", { query: "clams", limit: null, language: null, version: null }, /next-steps/],
                ["search", { query: "clams", limit: "5", language: "en", version: "" }, /next-steps/],
                ["read_page", { path: "/guides/start", offset: null }, /Install/],
                ["list_pages", null, /guides\/start/],
                ["list_pages", { prefix: null, offset: "0" }, /guides\/start/],
            ] as const) {
                const params = { name, arguments: inputs };
                const response = await fetch(`${address}/mcp`, {
                    method: "POST",
                    headers: { "content-type": "application/json", accept: "application/json" },
                    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
                });
                assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
                const { result } = (await response.json()) as {
                    result: { content: { text: string }[]; isError?: boolean };
                };
                assert.match(result.content[0]?.text ?? "", expected);
                assert.notEqual(result.isError, true);
            }
        }));

    it("says that a page ends before an offset", () =>
        withServer(async ({ connect }) => {
            const { call } = await connect("/mcp", "auto");
            const text = await call("read_page", { path: "/guides/start", offset: 5000 });
            assert.match(text, /^The page ends before offset 5000: it has \d+ characters\.$/);
        }));

    it("suggests the next step if it finds nothing", () =>
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

    for (const [what, path, headers] of [
        ["that accepts any type", "/mcp", { accept: "*/*" }],
        ["that names no type", "/mcp", {}],
        ["at an address with a slash at its end", "/mcp/", { accept: "application/json, text/event-stream" }],
        ["whose Host is no name", "/mcp", { host: "a b", accept: "application/json, text/event-stream" }],
    ] as const) {
        it(`answers a request ${what}`, () =>
            withServer(async ({ address, errors }) => {
                const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
                assert.deepEqual([await statusOf(`${address}${path}`, headers, body), errors], [200, []]);
            }));
    }

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

    for (const [title, domain, own] of [
        ["this machine only", undefined, ["localhost", "127.0.0.1", "[::1]"]],
        ["a domain", "Docs.example.com", ["docs.example.com", "127.0.0.1", "10.0.0.7"]],
    ] as const) {
        it(`refuses pages of another site whose name leads to the server, if it serves ${title}`, () =>
            withServer(
                async ({ address }) => {
                    const { port } = new URL(address);
                    const foreign = ["evil.example.com", "127.0.0.1.evil.example.com", "localhost.example.com"];
                    for (const [names, status] of [
                        [own, 200],
                        [foreign, 403],
                    ] as const) {
                        for (const name of names) {
                            assert.deepEqual([name, await statusOfPage(address, `${name}:${port}`)], [name, status]);
                        }
                    }
                },
                { readerHeaders: undefined, domain },
            ));
    }

    for (const [title, settings] of [
        ["a proxy", { readerHeaders: undefined, proxies: 1 }],
        ["a proxy that signs readers in", {}],
    ] as const) {
        it(`leaves the names of the server to ${title}`, () =>
            withServer(
                async ({ address }) => assert.equal(await statusOfPage(address, "docs.internal.example.com"), 200),
                settings,
            ));
    }
});

/** Sends a search request like a browser that shows a page at this host, and returns the status. */
function statusOfPage(address: string, host: string): Promise<number | undefined> {
    const headers = { host, origin: `http://${host}` };
    return statusOf(`${address}/v1/search/docs.example.com`, headers, '{"query":"walrus"}');
}

/** Posts JSON with exactly these headers, and returns the status. `fetch` would change and add some. */
function statusOf(url: string, headers: Record<string, string>, body: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
        request(url, { method: "POST", headers: { ...headers, "content-type": "application/json" } }, (response) => {
            response.resume();
            resolve(response.statusCode);
        })
            .once("error", reject)
            .end(body);
    });
}
