import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { withExport } from "../exporter/support/site-fixture.js";
import { archive } from "./support/archives.js";
import { BundleServer } from "./support/bundle-server.js";
import { FetchPod, findProgram, type Image } from "./support/fetch-pod.js";
import { LiveNginx } from "./support/live-nginx.js";
import { exported, render } from "./support/render-chart.js";

const [busybox, nginxProgram] = await Promise.all([findProgram("busybox"), findProgram("nginx")]);
const debian: Image = { name: "GNU tools", downloader: "curl" };
const images: Image[] = [debian, ...(busybox ? [{ name: "busybox", downloader: "curl", busybox } as const] : [])];

const mapOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

/** Unpacks a bundle as a pod does; returns the pod's messages and nginx's redirect lines. */
async function unpack(
    map: string | Buffer,
    image = debian,
    read?: (pod: FetchPod) => Promise<void>,
): Promise<Unpacked> {
    const server = await BundleServer.start();
    const pod = await FetchPod.create(image);
    try {
        await pod.writeSecret(server.link());
        server.serve(
            await archive([
                { name: "index.html", content: "front" },
                { name: "faq.html", content: "faq" },
                { name: "kept/page.html", content: "kept" },
                { name: "folder/index.html", content: "folder" },
                { name: "old.html", content: "leads on" },
                { name: "static-export/redirects.map", content: map },
            ]),
        );
        const { exitCode, log } = await pod.run();
        assert.equal(exitCode, 0, log);
        await read?.(pod);
        const files = await readdir(pod.path("site/redirects"));
        const lines = await Promise.all(files.map((file) => readFile(pod.path("site/redirects", file), "utf8")));
        return { log, lines: lines.flatMap((text) => text.trim().split("\n")) };
    } finally {
        server.stop();
        await pod.remove();
    }
}

interface Unpacked {
    log: string;
    lines: string[];
}

/** Starts nginx for the files that a pod has unpacked. */
async function serve(map: string | Buffer, use: (ask: Ask) => Promise<void>): Promise<Unpacked> {
    return unpack(map, debian, async (pod) => {
        const configMap = (await render(exported)).get("ConfigMap/docs-documentation-site");
        assert.ok(configMap && nginxProgram);
        const nginx = await LiveNginx.start(nginxProgram, configMap, pod.path("site"));
        try {
            await use(async (address) => {
                const { status, headers } = await fetch(nginx.url(address), { redirect: "manual" });
                return [status, headers.get("location")];
            });
            await nginx.markDraining();
            await use(async (address) => {
                const { status, headers } = await fetch(nginx.url(address), { redirect: "manual" });
                return [status, headers.get("location")];
            });
        } finally {
            await nginx.stop();
        }
    });
}

type Ask = (address: string) => Promise<[status: number, location: string | null]>;

/** Harmful redirects, and the pods' message for each. */
const hostile: { title: string; line: string; says: RegExp }[] = [
    { title: "a directive", line: '"/a" "/b"; } server { listen 81;', says: /not of the form/ },
    { title: "two entries", line: '"/a" "/b"; "/c" "/d";', says: /not of the form/ },
    { title: "another file", line: "include /etc/passwd;", says: /not of the form/ },
    { title: "a default for all addresses", line: 'default "https://evil.example";', says: /not of the form/ },
    { title: "a carriage return", line: '"/a" "/b\rset-cookie:x";', says: /leads to no address/ },
    { title: "a byte of zero", line: '"/a" "/b\0c";', says: /leads to no address|not of the form/ },
    { title: "a variable of nginx", line: '"/a" "/$document_root";', says: /leads to no address/ },
    { title: "a capture that there is not", line: '"~^/a/(?<p1>[^/]+)$" "/${p2}";', says: /leads to no address/ },
    { title: "a capture in a plain entry", line: '"/a" "/${p1}";', says: /leads to no address/ },
    {
        title: "a host of the visitor's choice",
        line: '"~^/a/(?<p1>.*)$" "https://${p1}/";',
        says: /leads to no address/,
    },
    {
        title: "half a host of the visitor's",
        line: '"~^/a/(?<p1>.*)$" "https://a.${p1}";',
        says: /leads to no address/,
    },
    { title: "a host in front of another", line: '"/a" "https://docs.example.com@evil.example/";', says: /no address/ },
    { title: "a host without a scheme", line: '"/a" "//evil.example";', says: /leads to no address/ },
    { title: "a backslash", line: '"/a" "/\\evil.example";', says: /leads to no address/ },
    { title: "a script", line: '"/a" "javascript:alert(1)";', says: /leads to no address/ },
    { title: "a wrong regular expression", line: '"~^/a(b$" "/c";', says: /not of the grammar/ },
    { title: "a slow regular expression", line: '"~^/(a+)+$" "/c";', says: /not of the grammar/ },
    { title: "many wide captures", line: '"~^/(?<p1>.*)/(?<p2>.*)/c$" "/d";', says: /more than one \.\*/ },
    { title: "a capture of another name", line: '"~^/a/(?<uri>.*)$" "/c";', says: /not of the grammar/ },
    { title: "a long address", line: `"/${"a".repeat(4100)}" "/b";`, says: /too long/ },
    { title: "itself", line: '"/a" "/a";', says: /leads to itself/ },
    { title: "an address twice", line: '"/old" "/elsewhere";', says: /earlier line/ },
    { title: "an address in another case", line: '"/OLD" "/elsewhere";', says: /earlier line/ },
];

describe("documentation-site: the redirects of a bundle", function () {
    this.timeout(60_000);

    for (const image of images) {
        it(`are rebuilt from their parts, with ${image.name}`, async () => {
            const lines = [
                '"/old" "/new";',
                '"~^/v1/(?<p1>[^/]+)/a\\.b/(?<p2>.*)$" "/v2/${p2}#${p1}";',
                '"~^/Old\\.page$" "https://example.com";',
            ];
            const { log, lines: taken } = await unpack(mapOf(lines), image);
            assert.doesNotMatch(log, /Warning/);
            assert.deepEqual(taken, [
                '"/old" "/old /new";',
                '"/Old.page" "/Old.page https://example.com";',
                '"~^/v1/(?<p1>[^/]+)/a\\.b/(?<p2>.*)$" "/v2/${p2}#${p1}";',
            ]);
        });

        for (const { title, line, says } of hostile) {
            it(`exclude ${title}, with ${image.name}`, async () => {
                const { log, lines } = await unpack(mapOf(['"/old" "/new";', line, '"/last" "/new";']), image);
                assert.deepEqual(lines, ['"/old" "/old /new";', '"/last" "/last /new";']);
                assert.match(log, /Warning: redirects\.map: line 2 is left out: /);
                assert.match(log, says);
                assert.doesNotMatch(log, /evil|passwd|listen/);
            });
        }
    }

    it("are replaced by the redirects of a new bundle, or removed if the new bundle has no redirects", async () => {
        await unpack('"/old" "/new";\n', debian, async (pod) => {
            const server = await BundleServer.start();
            try {
                for (const [id, map, expected] of [
                    ["a", '"/other" "/new";\n', ["exact-0.map"]],
                    ["b", undefined, []],
                ] as const) {
                    const entry = { name: "static-export/redirects.map", content: map ?? "" };
                    server.serve(await archive([{ name: "index.html", content: "x" }, ...(map ? [entry] : [])]));
                    pod.exportId = id.repeat(64);
                    await pod.writeSecret(server.link());
                    assert.equal((await pod.run()).exitCode, 0);
                    assert.deepEqual(await readdir(pod.path("site/redirects")), expected);
                    if (map !== undefined) {
                        const text = await readFile(pod.path("site/redirects/exact-0.map"), "utf8");
                        assert.equal(text, '"/other" "/other /new";\n');
                    }
                }
            } finally {
                server.stop();
            }
        });
    });

    it("are summarised in the log if many lines are invalid, and are ignored if the map is not text", async () => {
        const { log } = await unpack("}\n".repeat(1000));
        assert.equal(log.match(/is left out/g)?.length, 5);
        assert.match(log, /redirects\.map: 995 more lines are left out/);
        const bytes = Buffer.from(Array.from({ length: 4096 }, (_, index) => (index * 7) % 256));
        assert.deepEqual((await unpack(bytes)).lines, []);
        assert.match((await unpack(Buffer.alloc(4 * 1024 * 1024 + 1))).log, /larger than 4 MiB/);
    });

    describe("in nginx", () => {
        before(function () {
            if (!nginxProgram) {
                console.log("      skipped: there is no nginx on PATH (Debian: apt-get install nginx-light)");
                this.skip();
            }
        });

        it("respond with 308, take precedence over the page at the old address, and preserve the query", async () => {
            const lines = ['"/old" "/new";', '"/gone" "https://example.com/a?b=c#d";', '"/FAQ" "/faq";'];
            await serve(mapOf(lines), async (ask) => {
                assert.deepEqual(await ask("/old"), [308, "/new"]);
                assert.deepEqual(await ask("/old?q=1"), [308, "/new?q=1"]);
                assert.deepEqual(await ask("/old/"), [308, "/old"]);
                assert.deepEqual(await ask("/gone?q=1"), [308, "https://example.com/a?b=c#d"]);
                assert.deepEqual(await ask("/FAQ"), [308, "/faq"]);
                assert.deepEqual(await ask("/faq"), [200, null]);
                assert.deepEqual(await ask("/nowhere"), [404, null]);
            });
        });

        it("are tried in order if they contain patterns and no page exists at the address", async () => {
            const lines = [
                '"~^/v1/(?<p1>[^/]+)/edit$" "/edit/${p1}";',
                '"~^/v1/(?<p1>.*)$" "/v2/${p1}";',
                '"~^/kept/(?<p1>[^/]+)$" "/lost";',
                '"~^/folder(?<p1>.*)$" "/lost";',
                '"~^/(?<p1>[^/]+)/x$" "https://example.com/${p1}?a";',
            ];
            await serve(mapOf(lines), async (ask) => {
                assert.deepEqual(await ask("/v1/a/edit"), [308, "/edit/a"]);
                assert.deepEqual(await ask("/v1/a/b?q=1"), [308, "/v2/a/b?q=1"]);
                assert.deepEqual(await ask("/v1/a/"), [308, "/v2/a/"]);
                assert.deepEqual(await ask("/kept/page"), [200, null]);
                assert.deepEqual(await ask("/kept/other"), [308, "/lost"]);
                assert.deepEqual(await ask("/folder"), [308, "/folder/"]);
                assert.deepEqual(await ask("/y/x?q=1"), [308, "https://example.com/y?a"]);
            });
        });

        it("never point to another site, and never inject a header", async () => {
            await serve(mapOf(['"~^/to/(?<p1>.*)$" "/${p1}";']), async (ask) => {
                assert.deepEqual(await ask("/to/a"), [308, "/a"]);
                assert.deepEqual(await ask("/to//evil.example"), [404, null]);
                assert.deepEqual(await ask("/to/%2fevil.example"), [308, "/%2fevil.example"]);
                assert.deepEqual(await ask("/to/a%0d%0aset-cookie:x"), [308, "/a%0d%0aset-cookie:x"]);
            });
        });

        it("never prevent a pod's start, even at the maximum number and length, with equal hashes", async () => {
            // nginx computes the same hash for "a~" and "b_", and therefore for all sequences of them.
            const pairs: Record<string, string> = { "0": "a~", "1": "b_" };
            const alike = Array.from({ length: 4096 }, (_, index) =>
                index
                    .toString(2)
                    .padStart(12, "0")
                    .replace(/./g, (digit) => pairs[digit] ?? ""),
            );
            const long = Array.from({ length: 3900 }, (_, index) => `${"x".repeat(900)}${index}`);
            const patterns = Array.from({ length: 600 }, (_, index) => `"~^/p${index}/(?<p1>.*)$" "/new/\${p1}";`);
            const lines = [...alike, ...long].map((source) => `"/${source}" "/new";`);
            const { log } = await serve(mapOf([...patterns, ...lines]), async (ask) => {
                assert.deepEqual(await ask(`/${alike[0]}`), [308, "/new"]);
                assert.deepEqual(await ask(`/${alike.at(-1)}`), [308, "/new"]);
                assert.deepEqual(await ask(`/${long[0]}`), [308, "/new"]);
                assert.deepEqual(await ask(`/${long[3700]}`), [308, "/new"]);
                assert.deepEqual(await ask(`/${long.at(-1)}`), [404, null]);
                assert.deepEqual(await ask("/p499/a"), [308, "/new/a"]);
                assert.deepEqual(await ask("/p500/a"), [404, null]);
            });
            assert.match(log, /the pods take no more (patterns|redirects)/);
        });

        it("match the redirects that the exporter writes", async () => {
            const redirects = [
                { source: "/old", destination: "/new" },
                { source: "/v1/:slug*", destination: "/v2/:slug*" },
                { source: "/By.name/:user-name/on/:day", destination: "https://example.com/:day/:user-name" },
                { source: "/Index", destination: "/new" },
            ];
            const config = JSON.stringify({ redirects, navigation: { pages: ["index"] } });
            await withExport({ "index.md": "# Home", "docs.json": config }, async (site) => {
                const map = await site.read("static-export/redirects.map");
                const { log } = await serve(map, async (ask) => {
                    assert.deepEqual(await ask("/old"), [308, "/new"]);
                    assert.deepEqual(await ask("/v1/a/b"), [308, "/v2/a/b"]);
                    assert.deepEqual(await ask("/By.name/ann/on/may"), [308, "https://example.com/may/ann"]);
                    assert.deepEqual(await ask("/Index"), [308, "/new"]);
                });
                assert.doesNotMatch(log, /left out/);
            });
        });
    });
});
