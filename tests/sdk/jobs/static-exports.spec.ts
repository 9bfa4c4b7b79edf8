import assert from "node:assert/strict";
import { InvalidSettingsError } from "@pulumi-static-export/sdk";
import { countPlaces, describeExportWarning } from "@pulumi-static-export/sdk/internal";
import { createTestClient, rejectionOf } from "../support/client.js";
import { json, type Reply, withServer } from "../support/http-server.js";

const wholeJob = {
    jobId: "se_42",
    status: "running",
    progress: 12.5,
    pageCount: 7,
    createdAt: "2026-11-20T12:00:00Z",
    updatedAt: "2026-11-20T12:00:05Z",
};
const bundleUrl = "https://bucket.example.com/se_42.tar.gz?X-Amz-Signature=0";

describe("staticExports.start", () => {
    it("posts only the domain by default, and accepts a response with only jobId", async () => {
        await withServer([json(200, { jobId: "se_42" })], async ({ baseUrl, requests }) => {
            const { client } = createTestClient(baseUrl);
            assert.deepEqual(await client.staticExports.start({ domain: "docs.example.com" }), { jobId: "se_42" });
            assert.equal(requests.length, 1);
            const [{ method, url, body, headers }] = requests as [(typeof requests)[0]];
            assert.deepEqual([method, url, body], ["POST", "/v1/static-export/jobs", '{"domain":"docs.example.com"}']);
            assert.equal(headers["content-type"], "application/json");
        });
    });

    it("sends version and paths, and returns every field of the published job", async () => {
        await withServer([json(202, { ...wholeJob, newField: 1 })], async ({ baseUrl, requests }) => {
            const { client } = createTestClient(baseUrl);
            const request = { domain: "docs.example.com", version: "2026-11-01", paths: ["guides/start"] };
            assert.deepEqual(await client.staticExports.start(request), wholeJob);
            assert.deepEqual(JSON.parse(requests[0]?.body ?? ""), request);
        });
    });
});

describe("staticExports.cancel", () => {
    it("sends DELETE, and returns the job", async () => {
        const job = { ...wholeJob, status: "failed", error: "Cancelled by a client with the key ci." };
        await withServer([json(200, job)], async ({ baseUrl, requests }) => {
            const { client } = createTestClient(baseUrl);
            assert.deepEqual(await client.staticExports.cancel("se_42"), job);
            assert.deepEqual([requests[0]?.method, requests[0]?.url], ["DELETE", "/v1/static-export/jobs/se_42"]);
        });
    });

    it("sends the reason", async () => {
        await withServer([json(200, wholeJob)], async ({ baseUrl, requests }) => {
            await createTestClient(baseUrl).client.staticExports.cancel("se_42", { reason: "too old" });
            assert.equal(requests[0]?.url, "/v1/static-export/jobs/se_42?reason=too+old");
        });
    });

    for (const [status, advice] of [
        [404, /only the self-hosted service cancels exports/],
        [405, /only the self-hosted service cancels exports/],
        [409, /The job has ended: there is nothing left to cancel/],
    ] as const) {
        it(`explains a ${status} response`, async () => {
            await withServer([json(status, { error: "no" })], async ({ baseUrl }) => {
                const { client } = createTestClient(baseUrl);
                assert.match((await rejectionOf(client.staticExports.cancel("se_42"))).message, advice);
            });
        });
    }
});

describe("staticExports.list", () => {
    const record = { ...wholeJob, status: "completed", version: "1", sizeBytes: 5, sha256: "ab".repeat(32) };

    it("requests the domain's jobs, and returns them without null fields", async () => {
        const queued = { jobId: "se_43", status: "queued", version: null, sizeBytes: null, sha256: null };
        await withServer([json(200, { jobs: [queued, record] })], async ({ baseUrl, requests }) => {
            const { client } = createTestClient(baseUrl);
            assert.deepEqual(await client.staticExports.list({ domain: "docs.example.com", limit: 2 }), [
                { jobId: "se_43", status: "queued" },
                record,
            ]);
            assert.equal(requests[0]?.url, "/v1/static-export/jobs?domain=docs.example.com&limit=2");
        });
    });

    it("requests the jobs of one status, and by default the newest 20 of all domains", async () => {
        await withServer([json(200, { jobs: [] })], async ({ baseUrl, requests }) => {
            const { client } = createTestClient(baseUrl);
            await client.staticExports.list({ status: "failed" });
            await client.staticExports.list();
            assert.deepEqual(
                requests.map(({ url }) => url),
                ["/v1/static-export/jobs?status=failed&limit=20", "/v1/static-export/jobs?limit=20"],
            );
        });
    });

    it("refuses a response that is not a list", async () => {
        await withServer([json(200, { jobs: {} })], async ({ baseUrl }) => {
            const { client } = createTestClient(baseUrl);
            const { message } = await rejectionOf(client.staticExports.list({ domain: "docs.example.com" }));
            assert.match(
                message,
                /^Exports of docs\.example\.com: the server answered 200, but "jobs" must be an array/,
            );
        });
    });

    for (const status of [404, 405]) {
        it(`reports that the platform does not list jobs if the response is ${status}`, async () => {
            await withServer([json(status, { error: "no" })], async ({ baseUrl }) => {
                const { client } = createTestClient(baseUrl);
                const { message } = await rejectionOf(client.staticExports.list({ domain: "docs.example.com" }));
                assert.match(
                    message,
                    /look for earlier jobs in the platform's own log: only the self-hosted service lists/,
                );
            });
        });
    }
});

describe("the text of an export warning", () => {
    const warning = { kind: "link", file: "a.md", line: 3, reason: "leads nowhere" };

    it("names the mistake and its place", () => {
        assert.equal(describeExportWarning(warning), "link: a.md:3: leads nowhere");
        assert.equal(
            describeExportWarning({ kind: "link", file: "a.md", reason: "leads nowhere" }),
            "link: a.md: leads nowhere",
        );
    });

    it("counts each place once, also if a warning has several", () => {
        assert.equal(countPlaces([warning, { ...warning, places: 4 }]), 5);
        assert.equal(countPlaces([]), 0);
    });

    it("shows no dots for exactly three other places", () => {
        assert.equal(
            describeExportWarning({ ...warning, places: 4, alsoIn: ["b.md", "c.md", "d.md"] }),
            "link: a.md:3: leads nowhere (and in 3 more places: b.md, c.md, d.md)",
        );
    });

    it("names up to three other places", () => {
        const also = ["b.md:1", "c.md:2", "d.md:3", "e.md:4"];
        assert.equal(
            describeExportWarning({ ...warning, places: 2, alsoIn: also.slice(0, 1) }),
            "link: a.md:3: leads nowhere (and in 1 more place: b.md:1)",
        );
        assert.equal(
            describeExportWarning({ ...warning, places: 5, alsoIn: also }),
            "link: a.md:3: leads nowhere (and in 4 more places: b.md:1, c.md:2, d.md:3, …)",
        );
    });
});

describe("staticExports.get", () => {
    it("returns every field of the published job", async () => {
        await withServer([json(200, wholeJob)], async ({ baseUrl, requests }) => {
            assert.deepEqual(await createTestClient(baseUrl).client.staticExports.get("se_42"), wholeJob);
            assert.deepEqual([requests[0]?.method, requests[0]?.url], ["GET", "/v1/static-export/jobs/se_42"]);
        });
    });

    it("fills in the jobId that the contract does not promise, and treats null as missing", async () => {
        const answer = { status: "completed", progress: null, pageCount: null, createdAt: null, error: null };
        await withServer([json(200, answer)], async ({ baseUrl }) => {
            const job = await createTestClient(baseUrl).client.staticExports.get("se_42");
            assert.deepEqual(job, { jobId: "se_42", status: "completed" });
        });
    });

    it("omits progress and page count if they are not numbers, because the contract leaves their types open", async () => {
        const answer = { status: "running", progress: { done: 3, of: 7 }, pageCount: "7" };
        await withServer([json(200, answer)], async ({ baseUrl }) => {
            const job = await createTestClient(baseUrl).client.staticExports.get("se_42");
            assert.deepEqual(job, { jobId: "se_42", status: "running" });
        });
    });

    it("returns the warnings of an export, sanitised for display", async () => {
        const link = "https://bucket.example.com/a?X-Amz-Signature=0";
        const first = [
            { kind: "link", file: "guides/a.md", line: 3, reason: `leads nowhere:\n${link}`, more: 1 },
            { kind: "settings", file: "docs.json", line: "first", reason: "not a colour" },
            { kind: "icon", file: "a.md", reason: "unknown", places: 3, alsoIn: ["b.md:1", 2, link] },
            { kind: "link" },
            "link",
        ];
        const answer = { status: "completed", warnings: { count: 7, countByKind: { link: 6 }, first } };
        await withServer([json(200, answer)], async ({ baseUrl }) => {
            const { warnings } = await createTestClient(baseUrl).client.staticExports.get("se_42");
            assert.deepEqual(warnings, {
                count: 7,
                first: [
                    {
                        kind: "link",
                        file: "guides/a.md",
                        line: 3,
                        reason: "leads nowhere: https://bucket.example.com/a",
                    },
                    { kind: "settings", file: "docs.json", reason: "not a colour" },
                    {
                        kind: "icon",
                        file: "a.md",
                        reason: "unknown",
                        places: 3,
                        alsoIn: ["b.md:1", "https://bucket.example.com/a"],
                    },
                ],
            });
        });
    });

    it("omits malformed warnings, and all warnings after the hundredth", async () => {
        const warning = { kind: "link", file: "a.md", reason: "leads nowhere" };
        const forms = [["a"], { count: -1, first: [] }, { count: 1 }, { count: 500, first: Array(500).fill(warning) }];
        const answers = forms.map((warnings) => json(200, { status: "completed", warnings }));
        await withServer(answers, async ({ baseUrl }) => {
            const { staticExports } = createTestClient(baseUrl).client;
            for (let left = 0; left < 3; left += 1) {
                assert.equal((await staticExports.get("se_42")).warnings, undefined);
            }
            assert.equal((await staticExports.get("se_42")).warnings?.first.length, 100);
        });
    });

    it("encodes the id as a single path segment", async () => {
        await withServer([json(200, { status: "running" })], async ({ baseUrl, requests }) => {
            await createTestClient(baseUrl).client.staticExports.get("a/../b?c#d");
            assert.equal(requests[0]?.url, "/v1/static-export/jobs/a%2F..%2Fb%3Fc%23d");
        });
    });

    for (const id of ["", ".", ".."]) {
        it(`refuses the id '${id}' without a request, because it would name another path`, async () => {
            await withServer([json(200, {})], async ({ baseUrl, requests }) => {
                const { staticExports } = createTestClient(baseUrl).client;
                assert.ok((await rejectionOf(staticExports.get(id))) instanceof InvalidSettingsError);
                assert.ok((await rejectionOf(staticExports.createBundle(id))) instanceof InvalidSettingsError);
                assert.ok((await rejectionOf(staticExports.pollUntilDone(id))) instanceof InvalidSettingsError);
                assert.equal(requests.length, 0);
            });
        });
    }
});

describe("staticExports.createBundle", () => {
    it("posts without a body and returns every field of the published bundle", async () => {
        const bundle = { jobId: "se_42", bundleUrl, sizeBytes: 1234, expiresAt: "2026-11-21T12:00:00Z" };
        await withServer([json(200, bundle)], async ({ baseUrl, requests }) => {
            const { serverTimeAt, ...answered } =
                await createTestClient(baseUrl).client.staticExports.createBundle("se_42");
            assert.deepEqual(answered, bundle);
            const [{ method, url, body }] = requests as [(typeof requests)[0]];
            assert.deepEqual([method, url, body], ["POST", "/v1/static-export/jobs/se_42/bundle", ""]);
        });
    });

    it("accepts a response with only bundleUrl", async () => {
        const bare: Reply = (response, request) => {
            response.sendDate = false;
            json(200, { bundleUrl })(response, request);
        };
        await withServer([bare], async ({ baseUrl }) => {
            const bundle = await createTestClient(baseUrl).client.staticExports.createBundle("se_42");
            assert.deepEqual(bundle, { jobId: "se_42", bundleUrl });
        });
    });

    it("returns the server's clock, for expiry checks on machines with a wrong clock", async () => {
        const answer = json(200, { bundleUrl }, { date: "Fri, 20 Nov 2026 12:00:00 GMT" });
        await withServer([answer], async ({ baseUrl }) => {
            const bundle = await createTestClient(baseUrl).client.staticExports.createBundle("se_42");
            assert.equal(bundle.serverTimeAt, "2026-11-20T12:00:00.000Z");
        });
    });

    it("reads the expiry from the link if the API does not return it", async () => {
        const signed = `${bundleUrl}&X-Amz-Date=20261120T120000Z&X-Amz-Expires=60`;
        await withServer([json(200, { bundleUrl: signed })], async ({ baseUrl }) => {
            const bundle = await createTestClient(baseUrl).client.staticExports.createBundle("se_42");
            assert.equal(bundle.expiresAt, "2026-11-20T12:01:00.000Z");
        });
    });

    it("prefers the expiry from the API to the expiry from the link", async () => {
        const answer = { bundleUrl: `${bundleUrl}&Expires=1795176060`, expiresAt: "2026-11-21T12:00:00Z" };
        await withServer([json(200, answer)], async ({ baseUrl }) => {
            const bundle = await createTestClient(baseUrl).client.staticExports.createBundle("se_42");
            assert.equal(bundle.expiresAt, "2026-11-21T12:00:00Z");
        });
    });
});
