import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { withExport } from "../exporter/support/site-fixture.js";
import { archive } from "./support/archives.js";
import { BundleServer } from "./support/bundle-server.js";
import { FetchPod, findProgram } from "./support/fetch-pod.js";
import { LiveNginx } from "./support/live-nginx.js";
import { exported, render } from "./support/render-chart.js";

const nginxProgram = await findProgram("nginx");

const mapOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

/** Unpacks a bundle as a pod does; returns the pod's messages and nginx's redirect lines. */
async function unpack(map: string | Buffer, read?: (pod: FetchPod) => Promise<void>): Promise<Unpacked> {
    const server = await BundleServer.start();
    const pod = await FetchPod.create();
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
    return unpack(map, async (pod) => {
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

describe("documentation-site: the redirects of a bundle", function () {
    this.timeout(60_000);

    it("are replaced by the redirects of a new bundle, or removed if the new bundle has no redirects", async () => {
        await unpack('"/old" "/new";\n', async (pod) => {
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

    it("are left out with a warning in the log if a line is invalid or the map is too large", async () => {
        assert.match((await unpack("}\n")).log, /Warning: redirects\.map: line 1 is left out/);
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
            assert.match(log, /the pods accept no more (patterns|redirects)/);
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
