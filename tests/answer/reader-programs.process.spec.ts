import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { ExportedSite, WebFiles } from "../../answer/src/index.js";
import { isForeign } from "../../answer/src/http/foreign-requests.js";
import { readMessages } from "../../answer/src/mcp/stdio-server.js";
import { withExport } from "../exporter/support/site-fixture.js";
import { siteWithReaders, withAnsweredSite } from "./support/answered-site.js";
import { serveSite } from "./support/answering.js";

const keepApart = { privatePages: "keep-apart" } as const;

describe("A site below a path of its domain", () => {
    const belowPath = { basePath: "help/docs", answer: true, ...keepApart };

    it("is searched, read and listed with paths from its own root", () =>
        withAnsweredSite(
            siteWithReaders,
            async (site) => {
                assert.equal(site.title, "Walrus");
                const paths = (await site.search({ query: "clams", max: 5 })).map(({ path }) => path);
                assert.deepEqual(paths, ["/guides/start#next-steps"]);
                assert.deepEqual(
                    (await site.pages()).map(({ path }) => path),
                    ["/", "/guides/start"],
                );
                for (const asked of [
                    "/guides/start",
                    "/help/docs/guides/start",
                    "/help/docs/guides/start.md",
                    "https://docs.example.com/help/docs/guides/start.md",
                ]) {
                    assert.match((await site.page(asked))?.markdown ?? "", /clams/, asked);
                }
                assert.equal((await site.page("/help/docs"))?.path, "/");
            },
            belowPath,
        ));

    it("shows private pages only to their readers", () =>
        withAnsweredSite(
            siteWithReaders,
            async (site) => {
                for (const asked of ["/only-a", "/help/docs/only-a", "/help/docs/only-a.md"]) {
                    assert.equal(await site.page(asked), undefined, asked);
                    assert.equal(await site.page(asked, { groups: ["b"] }), undefined, asked);
                    assert.match((await site.page(asked, { groups: ["a"] }))?.markdown ?? "", /narwhal/, asked);
                }
                const find = async (groups?: string[]) =>
                    (await site.search({ query: "narwhal", max: 5 }, groups && { groups })).map(({ path }) => path);
                assert.deepEqual(await find(), []);
                assert.deepEqual(await find(["b"]), []);
                assert.deepEqual(await find(["a"]), ["/only-a"]);
            },
            belowPath,
        ));

    it("knows the addresses in its llms.txt, and names its MCP server at the root of the domain", () =>
        withExport(
            siteWithReaders,
            async ({ read, outDir }) => {
                const list = await read("help/docs/llms.txt");
                const addresses = list.match(/https:\/\/[^\s)]+\.md/g) ?? [];
                assert.ok(addresses.length >= 2, list);
                await withFolder(outDir, async (site) => {
                    for (const address of addresses) {
                        assert.ok(await site.page(address), address);
                    }
                });
                const { url } = JSON.parse(await read(".well-known/mcp.json")) as { url: string };
                assert.equal(url, "https://docs.example.com/mcp");
            },
            belowPath,
        ));
});

async function withFolder(folder: string, use: (site: ExportedSite) => Promise<void>): Promise<void> {
    const { FolderFiles } = await import("../../answer/src/index.js");
    await use(await ExportedSite.open(new FolderFiles(folder)));
}

describe("A page with a name that addresses write differently", () => {
    const names = ["c#", "100%", "readme.md", "what?", "a b", "größe", "50%25", "x.html"];
    const files = {
        "docs.json": JSON.stringify({ name: "N", navigation: { pages: names }, seo: { indexing: "all" } }),
        ...Object.fromEntries(names.map((name) => [`${name}.md`, `# Page ${name}\n\nA walrus in ${name}.\n`])),
    };

    it("is read by the path that search and lists return, and by its plain name", () =>
        withAnsweredSite(files, async (site) => {
            const listed = await site.pages();
            assert.deepEqual(
                names.filter((name) => !listed.some(({ title }) => title === `Page ${name}`)),
                [],
            );
            for (const { path, title } of listed) {
                const page = await site.page(path);
                assert.equal(page?.markdown.split("\n")[0], `# ${title}`, path);
                assert.equal(page.path, path);
            }
            const hits = await site.search({ query: "walrus", max: 30 });
            assert.ok(hits.length > 5);
            for (const { path, title } of hits) {
                assert.equal((await site.page(path))?.markdown.split("\n")[0], `# ${title}`, path);
            }
            for (const name of names) {
                assert.match((await site.page(`/${name}`))?.markdown ?? "", /walrus/, name);
            }
        }));

    it("is never a file outside of the site or of the export's own folders", () =>
        withAnsweredSite(files, async (site) => {
            for (const path of [
                "..%2f..%2fetc/passwd",
                "%2e%2e/x",
                "static-export%2fsearch/0/scope.js",
                "/%5cx",
                "%00",
            ]) {
                assert.equal(await site.page(path), undefined, path);
            }
        }));
});

describe("A site that was exported without search", () => {
    const files = {
        "docs.json": JSON.stringify({ name: "N", navigation: { pages: ["index"] } }),
        "index.md": "# Home\n",
    };

    it("says so in the search of its API and of MCP", () =>
        withAnsweredSite(files, async (_, outDir) => {
            await rm(join(outDir, "static-export/search"), { recursive: true });
            await rm(join(outDir, "static-export/bundle.json"));
            await withFolder(outDir, (site) =>
                serveSite(site, {}, async ({ post, connect }) => {
                    const reason = "This site was exported without search. Choose from the list of pages instead.";
                    assert.deepEqual(await post("/v1/search/x", { query: "home" }), [400, { error: reason }]);
                    const { call } = await connect("/mcp", "auto");
                    assert.equal(await call("search", { query: "home" }), reason);
                    assert.equal(await call("list_pages", {}), "/ · Home");
                }),
            );
        }));
});

describe("A website whose host sends its start page for every address", () => {
    it("has only the pages that exist", () =>
        withExport(siteWithReaders, async ({ read }) => {
            const server = createServer((request, response) => {
                const file = decodeURI((request.url ?? "").slice(1));
                void read(file).then(
                    (text) =>
                        response
                            .setHeader("content-type", file.endsWith(".html") ? "text/html" : "text/plain")
                            .end(text),
                    async () => response.setHeader("content-type", "text/html").end(await read("index.html")),
                );
            });
            await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
            try {
                const { port } = server.address() as AddressInfo;
                const site = await ExportedSite.open(new WebFiles(new URL(`http://127.0.0.1:${port}`)));
                assert.match((await site.page("/guides/start"))?.markdown ?? "", /clams/);
                assert.equal(await site.page("/nowhere"), undefined);
                assert.equal(await site.publicText("skill.md"), undefined);
                assert.equal((await site.search({ query: "clams", max: 1 })).length, 1);
            } finally {
                server.close();
            }
        }));
});

describe("MCP over standard input", () => {
    const start = () =>
        spawn(process.execPath, ["--import=tsx", "tests/answer/support/stdio-server.ts"], {
            stdio: ["pipe", "pipe", "ignore"],
        });
    const call = (id: number, name: string, inputs: object) =>
        JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: inputs } });

    it("answers all requests before the end of its input, and ends", async () => {
        const calls = Array.from({ length: 20 }, (_, at) =>
            at % 2 === 0 ? call(at, "search", { query: "clams" }) : call(at, "read_page", { path: "/guides/start" }),
        );
        const others = [
            '{"jsonrpc":"2.0","id":20,"method":"ping","params":null}',
            '[{"jsonrpc":"2.0","id":21,"method":"ping","params":null},{"jsonrpc":"2.0","id":22,"method":"ping"}]',
            '{"jsonrpc":"2.0","method":"notifications/initialized"}',
            '{"jsonrpc":"1.0","id":99,"method":"ping"}',
            "{not json",
            // Without a line break at the end.
            '{"jsonrpc":"2.0","id":23,"method":"nothing"}',
        ];
        const program = start();
        program.stdin.end([...calls, ...others].join("\n"));
        const [output, end] = await Promise.all([text(program.stdout), once(program, "exit")]);
        const answers = output
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line) as { id: number; result: unknown });
        assert.deepEqual(
            answers.map(({ id }) => id).sort((a, b) => a - b),
            Array.from({ length: 24 }, (_, at) => at),
        );
        for (const { id, result } of answers) {
            const expected = id < 20 ? /clams/ : id < 23 ? /^\{\}$/ : /^undefined$/;
            assert.match(String(JSON.stringify(result)), expected);
        }
        assert.deepEqual(end, [0, null]);
    });

    it("ends at the end of its input after a request that the client has cancelled", async () => {
        const program = start();
        const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
        program.stdin.end(`${call(1, "search", { query: "clams" })}\n${JSON.stringify(cancelled)}\n`);
        program.stdout.resume();
        assert.deepEqual(await once(program, "exit"), [0, null]);
    });

    it("passes all other lines on as they are, also if they come in parts", async () => {
        const parts = ['{"a":', '1}\n{not json\n[{"b":"', "é\u2028", '"}]\n{"end":true}'];
        assert.equal(
            await text(readMessages(Readable.from(parts))),
            '{"a":1}\n{not json\n{"b":"é\u2028"}\n{"end":true}\n',
        );
    });
});

describe("The server for programs behind a proxy", () => {
    const hosts = { domain: "docs.example.com", isKnown: true };
    const origin = "https://docs.example.com";

    it("answers pages of its own domain, whatever Host header the proxy sends", () => {
        for (const host of ["127.0.0.1:8788", "docs.example.com", "docs.example.com:443", "answer:8788", undefined]) {
            const headers = { origin, ...(host !== undefined && { host }) };
            assert.equal(isForeign(headers, hosts), false, host);
        }
    });

    it("refuses pages of other sites, whatever Host header the proxy sends", () => {
        for (const other of ["https://evil.example.com", "https://docs.example.com.evil.test", "null"]) {
            for (const host of ["127.0.0.1:8788", "docs.example.com", "evil.example.com"]) {
                assert.equal(isForeign({ origin: other, host }, hosts), true, `${other} at ${host}`);
            }
        }
    });

    it("without a domain, accepts a port that the origin omits", () => {
        const open = { domain: undefined, isKnown: false };
        assert.equal(isForeign({ origin, host: "docs.example.com:443" }, open), false);
        assert.equal(isForeign({ origin, host: "docs.example.com:8443" }, open), true);
        assert.equal(isForeign({ origin, host: "evil.example.com" }, open), true);
    });
});
