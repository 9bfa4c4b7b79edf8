import assert from "node:assert/strict";
import { Agent, get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { findProgram } from "./support/fetch-pod.js";
import { LiveNginx } from "./support/live-nginx.js";
import { exported, render } from "./support/render-chart.js";

const nginxProgram = await findProgram("nginx");

const files = {
    "healthz.json": '{"status":"ok","version":"v1"}',
    "public/index.html": "front",
    "public/guides.html": "guides",
    "public/guides/start.html": "start",
    "public/folder/index.html": "folder",
    "public/both.html": "both as page",
    "public/both/index.html": "both as folder",
    "public/below/index.html": "start of a site below a path",
    "public/below/page.html": "page below a path",
    "public/app.3f2a9c1d.js": "let app;".repeat(200),
    "public/diagram-20261120.svg": "<svg/>",
    "public/search.json": "{}",
};

interface Answer {
    status: number | undefined;
    headers: IncomingMessage["headers"];
    body: string;
}

describe("documentation-site: the web server", function () {
    this.timeout(60_000);
    let nginx: LiveNginx;
    let agent: Agent;

    async function ask(path: string, headers: Record<string, string> = {}): Promise<Answer> {
        return new Promise((resolve, reject) => {
            // fetch would normalise the paths under test.
            const { hostname, port } = new URL(nginx.url("/"));
            get({ hostname, port, path, headers, agent }, (response) => {
                const { statusCode: status, headers } = response;
                text(response).then((body) => resolve({ status, headers, body }), reject);
            }).once("error", reject);
        });
    }

    before(function () {
        if (!nginxProgram) {
            console.log("      skipped: there is no nginx on PATH (Debian: apt-get install nginx-light)");
            this.skip();
        }
    });
    beforeEach(async () => {
        const configMap = (await render(exported)).get("ConfigMap/docs-documentation-site");
        assert.ok(configMap && nginxProgram);
        nginx = await LiveNginx.start(nginxProgram, configMap, files);
        agent = new Agent({ keepAlive: true, maxSockets: 1 });
    });
    afterEach(async () => {
        agent.destroy();
        await nginx.stop();
    });

    it("answers on IPv6, too", async () => {
        const { status } = await fetch(nginx.url("/guides", "[::1]"));
        assert.equal(status, 200);
    });

    it("finds pages by their address with and without .html", async () => {
        const bodies: Record<string, string> = {
            "/": "front",
            "/guides": "guides",
            "/guides.html": "guides",
            "/guides/start": "start",
            "/guides/start.html": "start",
            "/folder/": "folder",
            "/both": "both as page",
            "/both/": "both as folder",
        };
        for (const [path, body] of Object.entries(bodies)) {
            assert.deepEqual({ path, body: (await ask(path)).body }, { path, body });
        }
    });

    it("redirects to the address where relative links work", async () => {
        const locations: Record<string, string> = {
            "/guides/": "/guides",
            "/guides/?q=1": "/guides?q=1",
            "/folder": "/folder/",
            "/folder?q=1": "/folder/?q=1",
        };
        for (const [path, location] of Object.entries(locations)) {
            const answer = await ask(path);
            assert.deepEqual([path, answer.status, answer.headers.location], [path, 308, location]);
        }
    });

    it("serves an export at its base path, and redirects the root address to this path", async () => {
        assert.equal((await ask("/below")).headers.location, "/below/");
        assert.deepEqual((await ask("/below/")).body, "start of a site below a path");
        assert.deepEqual((await ask("/below/page")).body, "page below a path");
    });

    it("never redirects to another host, and never lets an address inject a header", async () => {
        for (const path of ["//evil.example/", "/\\evil.example/", "///evil.example/", "//folder", "//folder?q=1"]) {
            assert.equal((await ask(path)).status, 404, path);
        }
        const answer = await ask("/a%0d%0aset-cookie:x/");
        assert.equal(answer.headers["set-cookie"], undefined);
        assert.equal(answer.headers.location, "/a%0d%0aset-cookie:x");
    });

    it("answers 404 with a default error page if the site has none", async () => {
        const plain = await ask("/nowhere");
        assert.equal(plain.status, 404);
        assert.match(plain.body, /Page not found/);
        assert.equal(plain.headers["cache-control"], "no-cache");
    });

    it("lets browsers cache files with a content hash, and makes browsers revalidate all other files", async () => {
        const caching = async (path: string) => (await ask(path)).headers["cache-control"];
        assert.equal(await caching("/app.3f2a9c1d.js"), "public, max-age=31536000, immutable");
        for (const path of ["/", "/guides", "/search.json", "/diagram-20261120.svg", "/missing.3f2a9c1d.js"]) {
            assert.equal(await caching(path), "no-cache", path);
        }
    });

    it("answers 304 to clients with a current copy, and sends no modification date", async () => {
        const first = await ask("/guides");
        assert.equal(first.headers["last-modified"], undefined);
        assert.equal((await ask("/guides", { "if-none-match": String(first.headers.etag) })).status, 304);
        assert.equal((await ask("/guides", { "if-none-match": '"other"' })).status, 200);
    });

    it("compresses text", async () => {
        const answer = await ask("/app.3f2a9c1d.js", { "accept-encoding": "gzip" });
        assert.equal(answer.headers["content-encoding"], "gzip");
        assert.equal(answer.headers.vary, "Accept-Encoding");
    });

    it("reports its version at /healthz", async () => {
        const answer = await ask("/healthz");
        assert.deepEqual(JSON.parse(answer.body), { status: "ok", version: "v1" });
        assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
        assert.deepEqual(await ask("/_livez").then(({ status, body }) => [status, body]), [200, "ok\n"]);
    });

    it("answers requests while it is drained, and closes each connection after the response", async () => {
        assert.notEqual((await ask("/guides")).headers.connection, "close");
        await nginx.markDraining();
        for (const [path, status] of [
            ["/", 200],
            ["/guides", 200],
            ["/folder", 308],
            ["/nowhere", 404],
        ] as const) {
            const answer = await ask(path);
            assert.deepEqual([path, answer.status, answer.headers.connection], [path, status, "close"]);
        }
        assert.equal((await ask("/healthz")).status, 200);
    });

    it("includes the lines of nginx.extraConfig", async () => {
        const extraConfig = "location = /status {\n    return 204;\n}";
        const configMap = (await render({ ...exported, nginx: { extraConfig } })).get(
            "ConfigMap/docs-documentation-site",
        );
        assert.ok(configMap && nginxProgram);
        await nginx.stop();
        nginx = await LiveNginx.start(nginxProgram, configMap, files);
        assert.equal((await ask("/status")).status, 204);
        assert.equal((await ask("/guides")).body, "guides");
    });

    it("exits after the drain", async () => {
        assert.equal(await nginx.drain(0), 0);
        assert.equal(await nginx.exited, 0);
    });
});
