import assert from "node:assert/strict";
import { createServer, request, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalEdge } from "../../../dev/quickstart/src/bucket/local-edge.js";
import { waitUntil } from "../../wait-until.js";
import { EdgeFixture, sitesChart } from "./support/edge-fixture.js";

const digest = "0123456789abcdef".repeat(4);
const live = { prefix: "releases/0123456789abcdef/", files: digest };

describe("documentation-sites: one of several sites", function () {
    this.timeout(60_000);
    const edge = EdgeFixture.use();

    before(() => edge().publish("docs.example.com", { "index.html": "home", "more.html": "more" }));
    afterEach(async () => assert.equal((await edge().get("docs.example.com", "/")).text, "home"));

    for (const [what, record, why] of [
        ["is not JSON", "{", /is not JSON/],
        [
            "is larger than the limit",
            JSON.stringify({ formatVersion: 1, live, more: "x".repeat(600_000) }),
            /is larger/,
        ],
        ["is of a later format", JSON.stringify({ formatVersion: 2, live }), /not of the form/],
        [
            "names the folder of another site",
            JSON.stringify({ formatVersion: 1, live: { ...live, prefix: "../docs.example.com/" } }),
            /outside of its release/,
        ],
        [
            "names the readers of another release",
            JSON.stringify({ formatVersion: 1, live: { ...live, access: "access.json" } }),
            /outside of its release/,
        ],
        ["has no digest", JSON.stringify({ formatVersion: 1, live: { ...live, files: "" } }), /not of the form/],
        [
            "replaces files one by one",
            JSON.stringify({ formatVersion: 1, live: { files: digest } }),
            /switching "releases"/,
        ],
        ["is deeply nested", `${"[".repeat(10_000)}${"]".repeat(10_000)}`, /is not JSON/],
    ] as const) {
        it(`is the only unavailable site when its record ${what}`, async () => {
            const host = `broken-${what.toLowerCase().replace(/\W+/g, "-")}.example.com`;
            await edge().write(host, ".static-export/site.json", record);
            const { status, headers } = await edge().get(host, "/");
            assert.deepEqual([status, headers["cache-control"], headers["retry-after"]], [503, "no-store", "5"]);
            const errors = await edge().errors();
            assert.match(errors, why);
            assert.ok(errors.includes(`${host}: `), errors);
        });
    }

    it("serves no page before its first release is live", async () => {
        await edge().write("first.example.com", ".static-export/site.json", JSON.stringify({ formatVersion: 1 }));
        assert.equal((await edge().get("first.example.com", "/")).status, 404);
    });

    it("is served from cached records while the bucket is down", async () => {
        await edge().get("docs.example.com", "/");
        await edge().server.kill();
        try {
            // nginx's cached record becomes stale within this time.
            const until = Date.now() + 1500;
            await waitUntil("the record is no longer fresh", async () => {
                assert.equal((await edge().get("docs.example.com", "/")).text, "home");
                return Date.now() > until;
            });
            assert.equal((await edge().get("docs.example.com", "/more")).status, 503);
            assert.equal((await edge().get("never-asked.example.com", "/")).status, 503);
            const metrics = await (await fetch(`${edge().metricsAddress}/metrics`)).text();
            assert.match(metrics, /^documentation_site_failures_total\{site="never-asked\.example\.com"\} 1$/m);
        } finally {
            await edge().server.resume();
        }
        assert.equal((await edge().get("docs.example.com", "/more")).text, "more");
    });
});

describe("documentation-sites: a site with slow files", () => {
    let bucket: Server;
    let folder: string;
    let edge: LocalEdge;
    let waiting: ServerResponse[];

    before(async function () {
        this.timeout(120_000);
        waiting = [];
        bucket = createServer(({ url = "" }, response) => {
            if (url.includes("/slow.example.com/releases/")) {
                waiting.push(response);
            } else if (url.endsWith("site.json")) {
                response.end(JSON.stringify({ formatVersion: 1, live }));
            } else {
                response.writeHead(url.endsWith(".html") ? 200 : 404).end("page");
            }
        }).listen(0, "127.0.0.1");
        await once(bucket, "listening");
        folder = await mkdtemp(join(tmpdir(), "slow-edge-"));
        const { port } = bucket.address() as AddressInfo;
        const keys = { accessKeyId: "a", secretAccessKey: "b" };
        edge = await LocalEdge.start(
            sitesChart,
            folder,
            { endpoint: `http://127.0.0.1:${port}`, bucket: "docs", ...keys },
            { nginx: { connectionsPerSite: 3 } },
        );
    });
    after(async () => {
        await edge.stop();
        bucket.closeAllConnections();
        bucket.close();
        await rm(folder, { recursive: true });
    });

    const ask = (host: string, signal?: AbortSignal) =>
        new Promise<number>((resolve, reject) => {
            const place = { host: "127.0.0.1", port: edge.port, path: "/page", agent: false as const };
            request({ ...place, headers: { host }, ...(signal && { signal }) }, (response) => {
                response.resume();
                resolve(response.statusCode!);
            })
                .on("error", reject)
                .end();
        });

    it("uses only its share of the connections, so that the other sites respond", async () => {
        const stop = new AbortController();
        const held = [1, 2, 3].map(() => ask("slow.example.com", stop.signal));
        await waitUntil("the bucket is asked", () => waiting.length > 0);
        assert.equal(await ask("slow.example.com"), 503);
        assert.equal(await ask("docs.example.com"), 200);
        stop.abort();
        await Promise.allSettled(held);
    });
});

describe("documentation-sites: a bucket that answers after ten seconds", () => {
    let bucket: Server;
    let folder: string;
    let edge: LocalEdge;
    let delayMs: number;
    const timers = new Set<NodeJS.Timeout>();

    before(async function () {
        this.timeout(120_000);
        delayMs = 0;
        bucket = createServer(({ url = "" }, response) => {
            const answer = () =>
                url.endsWith("site.json")
                    ? response.end(JSON.stringify({ formatVersion: 1, live: { ...live, hasRedirects: false } }))
                    : response.writeHead(url.endsWith(".html") ? 200 : 404).end("page");
            timers.add(setTimeout(answer, delayMs));
        }).listen(0, "127.0.0.1");
        await once(bucket, "listening");
        folder = await mkdtemp(join(tmpdir(), "slow-bucket-"));
        const { port } = bucket.address() as AddressInfo;
        const keys = { accessKeyId: "a", secretAccessKey: "b" };
        const place = { endpoint: `http://127.0.0.1:${port}`, bucket: "docs", ...keys };
        edge = await LocalEdge.start(sitesChart, folder, place, {}, 1);
    });
    after(async () => {
        await edge.stop();
        timers.forEach(clearTimeout);
        bucket.closeAllConnections();
        bucket.close();
        await rm(folder, { recursive: true });
    });

    const ask = async (host: string): Promise<number> => {
        const headers = { host };
        return new Promise((resolve, reject) => {
            request({ host: "127.0.0.1", port: edge.port, path: "/page", agent: false, headers }, (response) => {
                response.resume();
                resolve(response.statusCode!);
            })
                .on("error", reject)
                .end();
        });
    };

    it("delays no page in the cache by more than a second, and most by nothing", async function () {
        this.timeout(60_000);
        const hosts = Array.from({ length: 30 }, (_, index) => `site-${index}.example.com`);
        for (const host of hosts) {
            assert.equal(await ask(host), 200);
        }
        delayMs = 10_000;
        const until = Date.now() + 4000;
        const times: number[] = [];
        await waitUntil("the records have expired", async () => {
            for (const host of hosts) {
                const start = performance.now();
                assert.equal(await ask(host), 200);
                times.push(performance.now() - start);
            }
            return Date.now() > until;
        });
        times.sort((a, b) => b - a);
        assert.ok(times[0]! < 3000, `the slowest took ${times[0]} ms`);
        assert.ok(times.length > 100, `${times.length} pages in four seconds`);
        const median = times[times.length >> 1]!.toFixed(1);
        console.log(`      ${times.length} pages in 4 s: ${median} ms, the slowest ${times[0]!.toFixed(0)} ms`);
        assert.match(await edge.errors(), /the bucket does not answer within a second/);
    });

    it("is asked again after some seconds", async function () {
        this.timeout(60_000);
        delayMs = 0;
        await waitUntil(
            "a site that nobody has asked for is served",
            async () => (await ask("new.example.com")) === 200,
        );
    });
});
