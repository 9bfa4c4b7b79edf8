import assert from "node:assert/strict";
import { type ServerResponse } from "node:http";
import { addressesOf } from "../../../sdk/src/publish/purge/changed-paths.js";
import { purgeCloudFront } from "../../../sdk/src/publish/purge/cloud-front.js";
import { purgeCloudflare, purgeWebhook } from "../../../sdk/src/publish/purge/purge-over-http.js";
import { FakeClock } from "../../fake-clock.js";
import { json, loseConnection, type RecordedRequest, type Reply, withServer } from "../support/http-server.js";
import { type Site, SiteFixture, watchTarget } from "./support/site-fixture.js";

const site = (version: string): Site => ({ "index.html": version, "a.html": version, "same.html": "same" });

describe("The addresses to purge", () => {
    it("include addresses without an extension and addresses of folders", () => {
        assert.deepEqual(addressesOf(["index.html", "b/naïve page.html", "b/index.html", "a.css"]), [
            ...["/index.html", "/", "/b/na%C3%AFve%20page.html", "/b/na%C3%AFve%20page"],
            ...["/b/index.html", "/b/", "/b", "/a.css"],
        ]);
    });

    it("encode every character that is not part of a path in an address", () => {
        assert.deepEqual(addressesOf(["c#.html", "a?b/~me @1.css"]), ["/c%23.html", "/c%23", "/a%3Fb/~me%20@1.css"]);
    });

    it("are replaced by a single pattern if there are many", () => {
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

    it("covers the changed paths, and is not repeated if nothing changes", async () => {
        await fixture.publish(site("v2"), { jobId: "se_2", purge });
        await fixture.publish(site("v2"), { jobId: "se_2", purge });
        assert.deepEqual(purged, [["a.html", "index.html"]]);
    });

    it("fails if the CDN fails, and is repeated by the next run without another upload", async () => {
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

    it("includes the changes of a killed run", async () => {
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
    const token = "s3cr3t-token";
    const zone = (baseUrl: string) => ({ zoneId: "z1", host: "docs.example.com", token, baseUrl });
    const bodyOf = ({ body }: RecordedRequest) => JSON.parse(body) as unknown;

    it("sends at most thirty URLs to Cloudflare per call", async () => {
        await withServer([json(200, {})], async ({ baseUrl, requests }) => {
            const addresses = Array.from({ length: 40 }, (_, index) => `/${index}`);
            await purgeCloudflare(zone(baseUrl), addresses, signal);
            const files = requests.map((request) => (bodyOf(request) as { files: string[] }).files);
            assert.deepEqual([files[0]!.length, files[1]!.length], [30, 10]);
            assert.equal(files[0]![0], "https://docs.example.com/0");
            assert.deepEqual(requests[0]!.url, "/zones/z1/purge_cache");
            assert.equal(requests[0]!.headers.authorization, "Bearer s3cr3t-token");
        });
    });

    it("covers only the host if everything changed, so that other sites of the zone stay cached", async () => {
        await withServer([json(200, {})], async ({ baseUrl, requests }) => {
            await purgeCloudflare(zone(baseUrl), ["/*"], signal);
            assert.deepEqual(requests.map(bodyOf), [{ prefixes: ["docs.example.com/"] }]);
        });
    });

    it("reports Cloudflare's response and the settings to check, without the token", async () => {
        const refusal = json(403, { errors: [{ code: 10000, message: "Authentication error" }] });
        await withServer([refusal], async ({ baseUrl }) => {
            await assert.rejects(purgeCloudflare(zone(baseUrl), ["/a"], signal), ({ message }: Error) => {
                assert.match(message, /^Cloudflare zone z1 could not be purged \(HTTP 403, Authentication error\)/);
                assert.match(message, /purgeToken.*The site is live, and the next run purges it without uploading/);
                assert.ok(!message.includes("s3cr3t"));
                return true;
            });
        });
    });

    for (const [how, encode] of [
        ["as it is", (text: string) => text],
        ["in a URL", encodeURIComponent],
        ["in Base64", (text: string) => Buffer.from(`Bearer ${text}`).toString("base64")],
    ] as const) {
        it(`shows neither the token nor control characters if the response repeats them: ${how}`, async () => {
            const token = "t0k/en+with=signs";
            const message = `${encode(token)}\r::error::x\u001b[31m`;
            await withServer([json(403, { errors: [{ message }] })], async ({ baseUrl }) => {
                for (const purged of [
                    purgeCloudflare({ ...zone(baseUrl), token }, ["/a"], signal),
                    purgeWebhook({ url: baseUrl, token }, ["/a"], signal),
                ]) {
                    await assert.rejects(purged, ({ message }: Error) => {
                        assert.match(message, /\[secret\].* ::error::x/);
                        assert.ok(!message.includes(encode(token).slice(-12)) && !/\p{Cc}/u.test(message), message);
                        return true;
                    });
                }
            });
        });
    }

    it("does not follow a redirect, and shows no token that it repeats", async () => {
        const redirect = (response: ServerResponse) =>
            response
                .writeHead(307, { location: "/elsewhere?token=s3cr3t-token" })
                .end('{"errors":[{"message":"s3cr3t-token"}]}');
        await withServer([redirect], async ({ baseUrl, requests }) => {
            await assert.rejects(purgeCloudflare(zone(baseUrl), ["/a"], signal), ({ message }: Error) => {
                assert.match(message, /HTTP 307, \[secret\]/);
                return !message.includes("s3cr3t");
            });
            assert.equal(requests.length, 1);
        });
    });

    for (const [what, reply] of [
        ["429", json(429, {}, { "retry-after": "7" })],
        ["502", json(502, {})],
        ["a reset", loseConnection],
    ] as const) {
        it(`is repeated after ${what}, because a purge has the same effect twice`, async () => {
            const clock = new FakeClock();
            await withServer([reply, json(200, {})], async ({ baseUrl, requests }) => {
                await purgeCloudflare(zone(baseUrl), ["/a"], signal, clock);
                assert.equal(requests.length, 2);
                assert.deepEqual(clock.sleptMs, [what === "429" ? 7000 : 500]);
            });
        });
    }

    it("waits no longer than a minute, fails after four attempts, and never repeats a refusal", async () => {
        const clock = new FakeClock();
        await withServer([json(503, {}, { "retry-after": "3600" })], async ({ baseUrl, requests }) => {
            await assert.rejects(purgeCloudflare(zone(baseUrl), ["/a"], signal, clock), /HTTP 503/);
            assert.deepEqual([requests.length, clock.sleptMs], [4, [60_000, 60_000, 60_000]]);
        });
        await withServer([json(403, {})], async ({ baseUrl, requests }) => {
            await assert.rejects(purgeCloudflare(zone(baseUrl), ["/a"], signal, clock), /HTTP 403/);
            assert.equal(requests.length, 1);
        });
    });

    it("waits until CloudFront's earlier invalidations have ended", async () => {
        const code = "<Code>TooManyInvalidationsInProgress</Code><Message>too many</Message>";
        const busy = xml(400, `<ErrorResponse><Error><Type>Sender</Type>${code}</Error></ErrorResponse>`);
        const created = xml(201, "<Invalidation><Id>I1</Id><Status>InProgress</Status></Invalidation>");
        const credentials = { accessKeyId: "cdn-spec", secretAccessKey: "s3cr3t-of-the-cdn-spec" };
        await withServer([busy, busy, created], async ({ baseUrl: endpoint, requests }) => {
            const clock = new FakeClock();
            await purgeCloudFront({ distributionId: "E1", credentials, endpoint, wait: false }, ["/a"], signal, clock);
            assert.deepEqual([requests.length, clock.sleptMs], [3, [30_000, 30_000]]);
        });
    });

    it("posts the addresses to a webhook without showing the path of its URL", async () => {
        await withServer([json(200, {}), json(500, {})], async ({ baseUrl, requests }) => {
            const url = `${baseUrl}/hooks/s3cr3t`;
            await purgeWebhook({ url, token: undefined }, ["/a", "/b"], signal);
            const [request] = requests;
            assert.deepEqual(
                [request!.url, request!.headers.authorization, bodyOf(request!)],
                ["/hooks/s3cr3t", undefined, { paths: ["/a", "/b"] }],
            );
            await assert.rejects(
                purgeWebhook({ url, token: "t" }, ["/a"], signal, new FakeClock()),
                ({ message }: Error) => /HTTP 500/.test(message) && !/s3cr3t/.test(message),
            );
        });
    });
});

function xml(status: number, body: string): Reply {
    return (response) => response.writeHead(status, { "content-type": "text/xml" }).end(body);
}

describe("Purging with a proxy that cannot be used", () => {
    const clock = new FakeClock();
    const { signal } = new AbortController();
    const credentials = { accessKeyId: "cdn-spec", secretAccessKey: "secret" };
    const cloudFront = { distributionId: "E1", credentials, endpoint: "http://cdn.example.com", wait: false };
    const webhook = { url: "http://cache.example.com/purge", token: undefined };
    const calls = {
        CloudFront: () => purgeCloudFront(cloudFront, ["/a"], signal, clock),
        "a webhook": () => purgeWebhook(webhook, ["/a"], signal, clock),
    };
    const before = process.env["ALL_PROXY"];
    beforeEach(() => (process.env["ALL_PROXY"] = "socks5://127.0.0.1:9"));
    afterEach(() => {
        if (before === undefined) {
            delete process.env["ALL_PROXY"];
        } else {
            process.env["ALL_PROXY"] = before;
        }
    });

    for (const [what, purge] of Object.entries(calls)) {
        it(`of ${what} names the variable, and says that the site is live`, async () => {
            await assert.rejects(purge(), {
                name: "PurgeError",
                message: /\(ALL_PROXY must name a proxy as .*\)\. The site is live/,
            });
        });
    }
});
