import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { LocalEdge } from "../../../dev/quickstart/src/bucket/local-edge.js";
import { waitUntil } from "../../wait-until.js";
import { sitesChart } from "./support/edge-fixture.js";

describe("documentation-sites: requests to the bucket", function () {
    this.timeout(60_000);
    const latencyMs = 20;
    const releases = { first: "a", second: "b" };
    let release: keyof typeof releases;
    /** The statuses of the bucket's responses to requests for the record. */
    let answers: number[];
    let bucket: Server;
    let folder: string;
    let edge: LocalEdge;
    const agent = new Agent({ keepAlive: true });

    before(async () => {
        bucket = createServer(answer).listen(0, "127.0.0.1");
        await once(bucket, "listening");
        folder = await mkdtemp(join(tmpdir(), "asking-edge-"));
        const endpoint = `http://127.0.0.1:${(bucket.address() as AddressInfo).port}`;
        const place = { endpoint, bucket: "docs", accessKeyId: "a", secretAccessKey: "b" };
        edge = await LocalEdge.start(sitesChart, folder, place, {}, 1);
    });
    beforeEach(() => {
        release = "first";
        answers = [];
    });
    after(async () => {
        agent.destroy();
        await edge.stop();
        bucket.closeAllConnections();
        bucket.close();
        await rm(folder, { recursive: true });
    });

    function answer({ url = "", headers }: IncomingMessage, response: ServerResponse): void {
        if (!url.endsWith("/site.json")) {
            response.writeHead(url.endsWith(".html") ? 200 : 404).end(url.includes("/aaaa") ? "first" : "second");
            return;
        }
        const etag = `"${release}"`;
        const status = headers["if-none-match"] === etag ? 304 : 200;
        answers.push(status);
        const digit = releases[release];
        const live = { prefix: `releases/${digit.repeat(16)}/`, files: digit.repeat(64), hasRedirects: false };
        const content = status === 304 ? "" : JSON.stringify({ formatVersion: 1, live });
        setTimeout(() => response.writeHead(status, { etag }).end(content), latencyMs);
    }

    const read = (path: string, host = "docs.example.com") =>
        new Promise<string>((resolve, reject) => {
            get({ host: "127.0.0.1", port: edge.port, path, agent, headers: { host } }, (response) => {
                resolve(text(response));
            }).on("error", reject);
        });

    it("read a record again only if it has changed", async () => {
        assert.equal(await read("/page"), "first");
        await waitUntil("the record is asked for again", async () => {
            assert.equal(await read("/page"), "first");
            return answers.length >= 3;
        });
        assert.deepEqual(answers.slice(0, 3), [200, 304, 304]);
        release = "second";
        await waitUntil("the new release is served", async () => (await read("/page")) === "second");
        assert.equal(answers.filter((status) => status === 200).length, 2);
    });

    it("barely delay the first page of a site, although all its files need the record at the same time", async () => {
        const slowest: number[] = [];
        // Tries four sites, because a busy machine may delay some requests.
        for (const host of ["one.example.com", "two.example.com", "three.example.com", "four.example.com"]) {
            const startedMs = performance.now();
            await Promise.all([1, 2, 3, 4, 5, 6].map((part) => read(`/part-${part}`, host)));
            slowest.push(performance.now() - startedMs);
        }
        // While another request is fetching a file for the cache, nginx waits half a second before it looks for the
        // file again.
        assert.ok(Math.min(...slowest) < 450, slowest.join(", "));
    });

    it("reuse connections instead of opening one per file", async () => {
        const accepted = async () => {
            const metrics = await (await fetch(`${edge.metricsAddress}/metrics`)).text();
            return Number(/^nginx_connections_accepted (\d+)$/m.exec(metrics)![1]);
        };
        await read("/page");
        const before = await accepted();
        for (let index = 0; index < 40; index += 1) {
            assert.match(await read(`/page-${index}`), /^(?:first|second)$/);
        }
        const opened = (await accepted()) - before;
        assert.ok(opened < 20, `${opened} connections`);
    });
});
