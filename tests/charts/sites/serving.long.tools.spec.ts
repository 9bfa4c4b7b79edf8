import assert from "node:assert/strict";
import type { SiteRecord } from "@pulumi-static-export/sdk/publish";
import { edgeAddresses } from "../../docs/support/edge-addresses.js";
import { waitUntil } from "../../wait-until.js";
import { EdgeFixture } from "./support/edge-fixture.js";

const docs = {
    "index.html": "home of docs",
    "start.html": "start of docs",
    "start.md": "# start",
    "guides/index.html": "guides",
    "guides/begin.html": "begin",
    "notes v1 (a).html": "odd name",
    "404.html": "no such page of docs",
    "assets/app.deadbeef.css": "a{}",
    "static-export/redirects.map": [
        '"/old" "/start";',
        '"/elsewhere" "https://www.example.com/docs";',
        '"/evil" "//evil.example";',
        '"~^/v1/(?<p1>.*)/notes/(?<p2>[^/]+)$" "/v2/${p1}/${p2}";',
        '"~^/all/(?<p1>.*)$" "/${p1}";',
        '"~^/(a+)+$" "/slow";',
        "",
    ].join("\n"),
};

describe("documentation-sites: one edge server for the sites of a bucket", function () {
    this.timeout(60_000);
    const edge = EdgeFixture.use({ nginx: { extraConfig: "location = /status {\n    return 204;\n}" } });
    const get = (path: string, headers = {}, method = "GET") => edge().get("docs.example.com", path, headers, method);

    before(async () => {
        await edge().publish("docs.example.com", docs);
        await edge().publish("api.example.com", { "index.html": "home of api", "start.html": "start of api" });
    });

    it("answers on IPv6, too", async () => {
        const { status } = await edge().get("docs.example.com", "/start", {}, "GET", "::1");
        assert.equal(status, 200);
    });

    it("serves each host its own site", async () => {
        for (const [host, name] of [
            ["docs.example.com", "docs"],
            ["api.example.com", "api"],
        ] as const) {
            for (const path of ["/start", "/start.html", "/start?any=query"]) {
                const { status, text } = await edge().get(host, path);
                assert.deepEqual([status, text], [200, `start of ${name}`]);
            }
        }
        assert.equal((await edge().get("DOCS.example.com:8443", "/")).text, "home of docs");
    });

    it("finds the same files as every other edge", async () => {
        const host = "edges.example.com";
        await edge().publish(host, Object.fromEntries(edgeAddresses.map(([, file]) => [file, `content of ${file}`])));
        for (const [address, file] of edgeAddresses) {
            const { status, text } = await edge().get(host, `${address}?q=1`);
            assert.deepEqual([address, status, text], [address, 200, `content of ${file}`]);
        }
    });

    it("includes the lines of nginx.extraConfig, for all hosts", async () => {
        for (const host of ["docs.example.com", "nobody.example.com"]) {
            assert.equal((await edge().get(host, "/status")).status, 204);
        }
    });

    it("answers 404 for any host without a site", async () => {
        for (const host of ["nobody.example.com", "example.com", "releases", "docs.example.com.evil.example"]) {
            const { status, text } = await edge().get(host, "/start");
            assert.equal(status, 404, host);
            assert.match(text, /Page not found/);
        }
    });

    it("reads no other folder of the bucket, even if the host or path is hostile", async () => {
        for (const host of [
            "docs.example.com/../api.example.com",
            "..",
            "a%2fb",
            "docs.example.com%2f",
            "x'y",
            "-",
            "_",
        ]) {
            const { status, text } = await edge().get(host, "/start");
            assert.ok([400, 404].includes(status), `${host} answers ${status}`);
            assert.doesNotMatch(text, /start of/);
        }
        const api = "/../../../api.example.com";
        const encoded = api.replaceAll("..", "%2e%2e").replaceAll("/", "%2f");
        for (const path of [
            encoded,
            "/..%5c..",
            "/start%00.html",
            "/a%0d%0aX-Evil:%201",
            "/.static-export/site.json",
            "//api",
        ]) {
            const { status, text, headers } = await get(path);
            assert.ok([308, 400, 404].includes(status), `${path} answers ${status}`);
            assert.doesNotMatch(text, /of api|formatVersion/);
            assert.doesNotMatch(headers.location ?? "/", /^\/\/|^\/\\/);
            assert.equal(headers["x-evil"], undefined);
        }
    });

    it("finds pages, folders and names with unusual characters, like the chart for one site", async () => {
        assert.equal((await get("/")).text, "home of docs");
        assert.equal((await get("/guides/")).text, "guides");
        assert.equal((await get("/guides/begin")).text, "begin");
        assert.equal((await get("/notes%20v1%20(a)")).text, "odd name");
        for (const [path, to] of [
            ["/guides?a=b", "/guides/?a=b"],
            ["/start/", "/start"],
        ] as const) {
            const { status, headers } = await get(path);
            assert.deepEqual([status, headers.location], [308, to]);
        }
    });

    it("answers with the site's own error page if the address does not exist", async () => {
        const { status, text, headers } = await get("/none");
        assert.deepEqual([status, text, headers["cache-control"]], [404, "no such page of docs", "no-cache"]);
        assert.match((await edge().get("api.example.com", "/none")).text, /Page not found/);
    });

    it("follows the site's redirects, but never to another host", async () => {
        for (const [path, to] of [
            ["/old?a=b", "/start?a=b"],
            ["/elsewhere", "https://www.example.com/docs"],
            ["/v1/a/b/notes/c", "/v2/a/b/c"],
            ["/all/of/it", "/of/it"],
        ] as const) {
            const { status, headers } = await get(path);
            assert.deepEqual([status, headers.location], [308, to]);
        }
        for (const path of ["/evil", "/all//evil.example", "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "/v1/notes/c"]) {
            assert.doesNotMatch((await get(path)).headers.location ?? "", /^\/\/|slow|v2/, path);
        }
    });

    it("serves Markdown to programs", async () => {
        const { text, headers } = await get("/start", { accept: "text/markdown" });
        assert.equal(text, "# start");
        assert.match(headers["content-type"]!, /^text\/markdown/);
        assert.equal(headers.vary, "Accept");
    });

    it("names llms.txt and a page's Markdown in headers into which no request address can inject text", async () => {
        const host = "listed.example.com";
        await edge().publish(host, { ...docs, "llms.txt": "# Docs" });
        const ask = async (path: string) => {
            const { headers } = await edge().get(host, path);
            return [headers["x-llms-txt"], headers.link];
        };
        const linkTo = (file: string) =>
            `</llms.txt>; rel="llms-txt", <${file}>; rel="alternate"; type="text/markdown"`;
        for (const [path, file] of [
            ["/start", "/start.md"],
            ["/start.html?any=query", "/start.md"],
            ["/guides/", "/guides/index.md"],
            ["/", "/index.md"],
        ] as const) {
            assert.deepEqual([path, ...(await ask(path))], [path, "/llms.txt", linkTo(file)]);
        }
        for (const path of ["/none", "/assets/app.deadbeef.css", "/llms.txt", "/old"]) {
            assert.deepEqual([path, ...(await ask(path))], [path, undefined, undefined]);
        }
        assert.doesNotMatch(String((await ask("/guides/%3e%3bbegin"))[1]), /[\r\n>;]begin/);
        const withoutList = (await get("/start")).headers;
        assert.deepEqual(
            [withoutList["x-llms-txt"], withoutList.link],
            [undefined, '</start.md>; rel="alternate"; type="text/markdown"'],
        );
        const below = "below.example.com";
        await edge().publish(below, { "docs/start.html": "start", ".well-known/llms.txt": "# Docs" });
        assert.equal((await edge().get(below, "/docs/start")).headers["x-llms-txt"], "/.well-known/llms.txt");
    });

    it("sends the headers that the bucket stores for a file, and no header about the bucket", async () => {
        const { headers } = await get("/assets/app.deadbeef.css");
        assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
        assert.equal(headers["content-type"], "text/css; charset=utf-8");
        assert.deepEqual(
            Object.keys(headers).filter((name) => name.startsWith("x-amz")),
            [],
        );
    });

    it("supports revalidation, ranges and HEAD", async () => {
        const { etag = "" } = (await get("/start")).headers;
        assert.equal((await get("/start", { "if-none-match": etag })).status, 304);
        const part = await get("/start", { range: "bytes=0-4" });
        assert.deepEqual([part.status, part.text], [206, "start"]);
        const head = await get("/start", {}, "HEAD");
        assert.deepEqual([head.status, head.text, head.headers["content-length"]], [200, "", "13"]);
        assert.equal((await get("/start", {}, "POST")).status, 405);
    });

    it("switches to a new release and back within seconds, without a failed request", async () => {
        const host = "switched.example.com";
        await edge().publish(host, { "index.html": "one" }, { jobId: "se_1" });
        const seen: string[] = [];
        const until = (text: string) =>
            waitUntil(`it serves ${text}`, async () => {
                const answer = await edge().get(host, "/");
                seen.push(answer.status === 200 ? answer.text : String(answer.status));
                return answer.text === text;
            });
        await until("one");
        await edge().publish(host, { "index.html": "two" }, { jobId: "se_2" });
        await until("two");
        await edge().publish(host, {}, { jobId: "se_1" });
        await until("one");
        assert.deepEqual([...new Set(seen)].sort(), ["one", "two"]);
    });

    it("serves hashed files of the previous release to readers who opened a page before the switch", async () => {
        const host = "opened.example.com";
        const [first, second] = ["assets/app.1111111a.css", "assets/app.2222222b.css"];
        await edge().publish(host, { "index.html": "one", [first]: "a{}", "gone.html": "gone", "404.html": "none" });
        await edge().publish(host, { "index.html": "two", [second]: "b{}", "404.html": "none of two" });
        await waitUntil("it serves two", async () => (await edge().get(host, "/")).text === "two");
        const { status, text, headers } = await edge().get(host, `/${first}`);
        assert.deepEqual([status, text], [200, "a{}"]);
        assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
        assert.equal((await edge().get(host, `/${second}`)).text, "b{}");
        // The live release answers requests for its predecessor's pages, and for files that never existed.
        for (const path of ["/gone", "/assets/app.3333333c.css"]) {
            const missing = await edge().get(host, path);
            assert.deepEqual([missing.status, missing.text], [404, "none of two"], path);
        }
    });

    it("looks for redirects if the record does not say whether the release has any", async () => {
        const host = "before.example.com";
        await edge().publish(host, { "index.html": "home", "static-export/redirects.map": '"/old" "/";\n' });
        const record = JSON.parse(await edge().read(host, ".static-export/site.json")) as SiteRecord;
        const { hasRedirects, ...live } = record.live!;
        assert.equal(hasRedirects, true);
        await edge().write(host, ".static-export/site.json", JSON.stringify({ ...record, live }));
        assert.equal((await edge().get(host, "/old")).status, 308);
    });

    it("reads no redirects if the record says that the release has none", async () => {
        const host = "plain.example.com";
        const { release } = await edge().publish(host, { "index.html": "home" });
        await edge().write(host, `${release.prefix}static-export/redirects.map`, '"/old" "/";\n');
        assert.equal((await edge().get(host, "/old")).status, 404);
        assert.equal((await edge().get(host, "/")).text, "home");
    });

    it("reports its health and metrics on a separate port", async () => {
        const read = async (path: string) => (await fetch(edge().metricsAddress + path)).text();
        assert.equal(await read("/healthz"), '{"status":"ok"}');
        assert.equal(await read("/_livez"), "ok\n");
        assert.match(await read("/metrics"), /^nginx_http_requests_total [1-9]\d*$/m);
        assert.notEqual((await get("/metrics")).status, 200);
        const missing = async (): Promise<number> =>
            Number(/^documentation_site_errors_total\{status="4xx"\} (\d+)$/m.exec(await read("/metrics"))?.[1]);
        const before = await missing();
        await get("/no-such-page");
        assert.equal(await missing(), before + 1);
    });
});
