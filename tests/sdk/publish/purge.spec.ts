import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { addressesOf, purgeCloudflare, purgeWebhook } from "@pulumi-static-export/sdk/publish";
import { type Site, SiteFixture, watchTarget } from "./support/site-fixture.js";

const site = (version: string): Site => ({ "index.html": version, "a.html": version, "same.html": "same" });

describe("The addresses to purge", () => {
    it("include those without an extension and those of folders", () => {
        assert.deepEqual(addressesOf(["index.html", "b/naïve page.html", "b/index.html", "a.css"]), [
            ...["/index.html", "/", "/b/na%C3%AFve%20page.html", "/b/na%C3%AFve%20page"],
            ...["/b/index.html", "/b/", "/a.css"],
        ]);
    });

    it("are one pattern where they are many", () => {
        const pages = (count: number) => Array.from({ length: count }, (_, index) => `${index}.html`);
        assert.equal(addressesOf(pages(50)).length, 100);
        assert.deepEqual(addressesOf(pages(51)), ["/*"]);
        assert.deepEqual(addressesOf(["a.html", "/*"]), ["/*"]);
    });
});

describe("Purging while publishing", () => {
    let fixture: SiteFixture;
    let purged: (readonly string[])[];
    let fails: boolean;
    const purge = (paths: readonly string[]) => {
        purged.push(paths);
        return fails ? Promise.reject(new Error("the CDN is down")) : Promise.resolve();
    };

    beforeEach(async () => {
        fixture = await SiteFixture.create();
        purged = [];
        fails = false;
        await fixture.publish(site("v1"), { jobId: "se_1" });
    });
    afterEach(() => fixture.remove());

    it("names the paths that have changed, once", async () => {
        await fixture.publish(site("v2"), { jobId: "se_2", purge });
        await fixture.publish(site("v2"), { jobId: "se_2", purge });
        assert.deepEqual(purged, [["a.html", "index.html"]]);
    });

    it("fails with the CDN, and the next run purges without uploading again", async () => {
        fails = true;
        await assert.rejects(fixture.publish(site("v2"), { jobId: "se_2", purge }), /the CDN is down/);
        assert.equal((await fixture.live())["index.html"], "v2");
        fails = false;
        const { sentFiles } = await fixture.publish(site("v2"), { jobId: "se_2", purge });
        assert.equal(sentFiles, 0);
        assert.deepEqual(purged, [
            ["a.html", "index.html"],
            ["a.html", "index.html"],
        ]);
        assert.equal(fixture.opened, 2);
    });

    it("includes what a killed run has changed", async () => {
        let sent = 0;
        const killed = watchTarget(await fixture.openTarget(), (operation) => {
            if (operation === "send" && ++sent > 1) {
                throw new Error("killed");
            }
        });
        await assert.rejects(fixture.publish(site("v2"), { purge }, killed), /killed/);
        const { changedPaths } = await fixture.publish(site("v2"), { purge });
        assert.deepEqual([purged, changedPaths], [[["a.html", "index.html"]], ["a.html", "index.html"]]);
    });

    it("does nothing in a dry run", async () => {
        await fixture.publish(site("v2"), { purge, isDryRun: true });
        assert.deepEqual(purged, []);
    });
});

describe("Purging over HTTP", () => {
    const signal = new AbortController().signal;
    const requests: { url: string; authorization: string | undefined; body: unknown }[] = [];
    let status = 200;
    let answer = "{}";
    const server = createServer((request, response) => {
        void text(request).then((body) => {
            const { authorization } = request.headers;
            requests.push({ url: request.url ?? "", authorization, body: JSON.parse(body) as unknown });
            response.writeHead(status, { "content-type": "application/json" }).end(answer);
        });
    });
    let baseUrl: string;
    before(async () => {
        await once(server.listen(0, "127.0.0.1"), "listening");
        baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    beforeEach(() => {
        requests.length = 0;
        [status, answer] = [200, "{}"];
    });
    after(() => server.close().closeAllConnections());
    const zone = () => ({ zoneId: "z1", host: "docs.example.com", token: "s3cr3t-token", baseUrl });

    it("names thirty URLs in one call to Cloudflare", async () => {
        const addresses = Array.from({ length: 40 }, (_, index) => `/${index}`);
        await purgeCloudflare(zone(), addresses, signal);
        const bodies = requests.map(({ body }) => (body as { files: string[] }).files);
        assert.deepEqual([bodies[0]!.length, bodies[1]!.length], [30, 10]);
        assert.equal(bodies[0]![0], "https://docs.example.com/0");
        assert.deepEqual(requests[0]!.url, "/zones/z1/purge_cache");
        assert.equal(requests[0]!.authorization, "Bearer s3cr3t-token");
    });

    it("names the host alone where everything changed, so that other sites of the zone stay cached", async () => {
        await purgeCloudflare(zone(), ["/*"], signal);
        assert.deepEqual(
            requests.map(({ body }) => body),
            [{ prefixes: ["docs.example.com/"] }],
        );
    });

    it("reports what Cloudflare answered and what to check, without the token", async () => {
        [status, answer] = [403, '{"errors":[{"code":10000,"message":"Authentication error"}]}'];
        await assert.rejects(purgeCloudflare(zone(), ["/a"], signal), (error: Error) => {
            assert.match(error.message, /^Cloudflare zone z1 could not be purged \(HTTP 403, Authentication error\)/);
            assert.match(error.message, /purgeToken.*The site is live, and the next run purges it without uploading/);
            assert.ok(!error.message.includes("s3cr3t"));
            return true;
        });
    });

    it("posts the addresses to a webhook, and never shows the path of its URL", async () => {
        await purgeWebhook({ url: `${baseUrl}/hooks/s3cr3t`, token: undefined }, ["/a", "/b"], signal);
        assert.deepEqual(requests[0], {
            url: "/hooks/s3cr3t",
            authorization: undefined,
            body: { paths: ["/a", "/b"] },
        });
        status = 500;
        const failing = purgeWebhook({ url: `${baseUrl}/hooks/s3cr3t`, token: "t" }, ["/a"], signal);
        await assert.rejects(
            failing,
            (error: Error) => /HTTP 500/.test(error.message) && !/s3cr3t/.test(error.message),
        );
    });
});
