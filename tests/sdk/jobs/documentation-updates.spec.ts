import assert from "node:assert/strict";
import { AmbiguousStartError, HttpError, JobFailedError, PollTimeoutError } from "@pulumi-static-export/sdk";
import { adminApiKey, createTestClient, rejectionOf } from "../support/client.js";
import { json, loseConnection, withServer } from "../support/http-server.js";

const published = {
    _id: "upd_1",
    projectId: "p1",
    status: "success",
    createdAt: "2026-11-20T12:00:00Z",
    endedAt: "2026-11-20T12:01:00Z",
    summary: "Update succeeded",
    logs: ["fetched", "built 12 pages"],
    subdomain: "acme",
    screenshot: "https://img.example.com/1.png",
    commit: {
        sha: "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
        ref: "main",
        message: "Document the new flag",
        filesChanged: { added: ["a.md"], modified: ["b.md", "c.md"], removed: [] },
    },
    author: null,
    source: "api",
};

describe("documentationUpdates", () => {
    it("start posts without a body and returns the status id", async () => {
        await withServer([json(202, { statusId: "upd_1" })], async ({ baseUrl, requests }) => {
            const started = await createTestClient(baseUrl).client.documentationUpdates.start("p1");
            assert.deepEqual(started, { statusId: "upd_1" });
            const [{ method, url, body }] = requests as [(typeof requests)[0]];
            assert.deepEqual([method, url, body], ["POST", "/v1/project/update/p1", ""]);
        });
    });

    it("start sends the caller's Idempotency-Key and reports a replay", async () => {
        const replies = [json(202, { statusId: "upd_1" }, { "idempotency-replayed": "true" })];
        await withServer(replies, async ({ baseUrl, requests }) => {
            const { documentationUpdates } = createTestClient(baseUrl).client;
            const started = await documentationUpdates.start("p1", { idempotencyKey: "k1" });
            assert.deepEqual(started, { statusId: "upd_1", isReplayed: true });
            assert.equal(requests[0]?.headers["idempotency-key"], "k1");
        });
    });

    it("start is never retried if its response was lost and the server ignores keys", async () => {
        const replies = [loseConnection, json(404, { error: "no such job" })];
        await withServer(replies, async ({ baseUrl, requests }) => {
            const error = await rejectionOf(createTestClient(baseUrl).client.documentationUpdates.start("p1"));
            assert.ok(error instanceof AmbiguousStartError);
            assert.match(
                error.message,
                /^Documentation update of project p1: .*an update may or may not have been started/,
            );
            assert.equal(requests.filter(({ method }) => method === "POST").length, 1);
        });
    });

    it("startPreview posts the branch and returns the address", async () => {
        const answer = { statusId: "upd_2", previewUrl: "https://draft.docs.example.com" };
        await withServer([json(202, answer)], async ({ baseUrl, requests }) => {
            const { documentationUpdates } = createTestClient(baseUrl).client;
            assert.deepEqual(await documentationUpdates.startPreview("p1", { branch: "draft" }), answer);
            assert.deepEqual([requests[0]?.url, requests[0]?.body], ["/v1/project/preview/p1", '{"branch":"draft"}']);
        });
    });

    it("get returns the documented fields, with counts and paths of the changed files", async () => {
        await withServer([json(200, published)], async ({ baseUrl, requests }) => {
            const update = await createTestClient(baseUrl).client.documentationUpdates.get("upd_1");
            const { summary, logs, createdAt, endedAt, commit } = published;
            assert.deepEqual(update, {
                statusId: "upd_1",
                status: "success",
                projectId: "p1",
                ...{ summary, logs, createdAt, endedAt },
                commit: {
                    ...commit,
                    filesChanged: { added: 1, modified: 2, removed: 0, paths: ["a.md", "b.md", "c.md"] },
                },
                source: "api",
            });
            assert.equal(requests[0]?.url, "/v1/project/update-status/upd_1");
        });
    });

    it("get returns an unknown status if the response has no fields", async () => {
        await withServer([json(200, {})], async ({ baseUrl }) => {
            const update = await createTestClient(baseUrl).client.documentationUpdates.get("upd_1");
            assert.deepEqual(update, { statusId: "upd_1", status: "unknown" });
        });
    });

    it("get drops fields of unexpected types instead of failing", async () => {
        const odd = { status: "queued", logs: 7, commit: "abc", endedAt: "yesterday", summary: { text: "no" } };
        await withServer([json(200, odd)], async ({ baseUrl }) => {
            const update = await createTestClient(baseUrl).client.documentationUpdates.get("upd_1");
            assert.deepEqual(update, { statusId: "upd_1", status: "queued" });
        });
    });

    it("get limits paths and log in size, and removes the key and link queries from both", async () => {
        const added = Array.from({ length: 5000 }, (_, index) => `page-${index}.md`);
        const logs = Array.from(
            { length: 500 },
            (_, index) => `line ${index} ${adminApiKey} https://s.example.com/?sig=1`,
        );
        const answer = { status: "success", logs, commit: { filesChanged: { added } } };
        await withServer([json(200, answer)], async ({ baseUrl }) => {
            const update = await createTestClient(baseUrl).client.documentationUpdates.get("upd_1");
            assert.equal(update.commit?.filesChanged?.added, 5000);
            assert.equal(update.commit.filesChanged.paths.length, 100);
            assert.equal(update.logs?.length, 20);
            assert.doesNotMatch(JSON.stringify(update), new RegExp(`${adminApiKey}|sig=`));
            assert.match(update.logs[19] ?? "", /^line 499 /);
        });
    });

    it("pollUntilDone ends with success", async () => {
        const replies = [json(200, { status: "queued" }), json(200, { status: "in_progress" }), json(200, published)];
        await withServer(replies, async ({ baseUrl, requests }) => {
            const done = await createTestClient(baseUrl).client.documentationUpdates.pollUntilDone("upd_1");
            assert.equal(done.commit?.sha, published.commit.sha);
            assert.equal(requests.length, 3);
        });
    });

    it("pollUntilDone rejects a failure with the summary and the last log lines", async () => {
        const logs = Array.from({ length: 9 }, (_, index) => `line ${index}`);
        const answer = { status: "failure", summary: "the site does not build", logs };
        await withServer([json(200, answer)], async ({ baseUrl }) => {
            const { documentationUpdates } = createTestClient(baseUrl).client;
            const error = await rejectionOf(documentationUpdates.pollUntilDone("upd_1", { projectId: "p1" }));
            assert.ok(error instanceof JobFailedError);
            assert.match(
                error.message,
                /^Documentation update upd_1 of project p1 failed: the site does not build; last log lines: line 4 \| line 5 \| line 6 \| line 7 \| line 8 /,
            );
            assert.match(error.message, /start a new update/);
        });
    });

    for (const [what, answer, reason] of [
        ["only log lines", { logs: ["one"] }, "last log lines: one"],
        ["only a summary", { summary: "no build", logs: [] }, "no build"],
        ["nothing", {}, undefined],
        [
            "long lines",
            { logs: ["a".repeat(200), "b".repeat(201)] },
            `last log lines: ${"a".repeat(200)} | ${"b".repeat(200)}…`,
        ],
    ] as const) {
        it(`pollUntilDone rejects a failure that gives ${what}`, async () => {
            await withServer([json(200, { status: "failure", ...answer })], async ({ baseUrl }) => {
                const { documentationUpdates } = createTestClient(baseUrl).client;
                const error = await rejectionOf<JobFailedError>(documentationUpdates.pollUntilDone("upd_1"));
                assert.equal(error.reason, reason);
            });
        });
    }

    for (const unknown of [{}, { status: "paused" }]) {
        it(`pollUntilDone waits and polls slowly at ${JSON.stringify(unknown)}`, async () => {
            await withServer([json(200, unknown)], async ({ baseUrl, requests }) => {
                const { client, clock } = createTestClient(baseUrl);
                const wait = client.documentationUpdates.pollUntilDone("upd_1", { timeoutMs: 600_000 });
                const error = await rejectionOf(wait);
                assert.ok(error instanceof PollTimeoutError);
                assert.ok(requests.length <= 75, `${requests.length} requests in ten minutes`);
                assert.ok(clock.now() > 0);
            });
        });
    }

    it("pollUntilDone fails if the status has disappeared", async () => {
        const replies = [json(200, { status: "queued" }), json(404, { error: "There is no update upd_1." })];
        await withServer(replies, async ({ baseUrl }) => {
            const error = await rejectionOf(
                createTestClient(baseUrl).client.documentationUpdates.pollUntilDone("upd_1"),
            );
            assert.ok(error instanceof HttpError);
            assert.match(error.message, /404.*There is no update upd_1.*Check the project id and the status id/);
        });
    });

    it("start reports the settings to check for an unknown project or a key without the scope", async () => {
        const replies = [
            json(404, { error: "There is no project p9; there is: p1." }),
            json(403, { error: "no scope" }),
        ];
        await withServer(replies, async ({ baseUrl }) => {
            const { documentationUpdates } = createTestClient(baseUrl).client;
            assert.match(
                (await rejectionOf(documentationUpdates.start("p9"))).message,
                /there is: p1.*Check the project id/,
            );
            assert.match(
                (await rejectionOf(documentationUpdates.start("p1"))).message,
                /scope \(it must allow updates\)/,
            );
        });
    });
});

/** Example values for each field of a status in the public document, which declares no field as required. */
const documentedFields: Readonly<Record<string, readonly unknown[]>> = {
    _id: ["65f0c0ffee"],
    projectId: ["p1"],
    status: ["queued", "in_progress", "success", "failure"],
    createdAt: ["2026-11-20T12:00:00.000Z"],
    endedAt: ["2026-11-20T12:01:00.000Z", null],
    summary: ["", "Deployed"],
    logs: [[], ["one", "two"]],
    subdomain: ["acme"],
    screenshot: ["https://img.example.com/s.png"],
    commit: [{}, { sha: "abc1234" }, { sha: "abc1234", ref: "main", message: "m", filesChanged: {} }],
    author: [null, {}, { name: "Kim" }],
    source: ["internal", "github-app-installation", "api", "github", "dashboard", "gitlab", "onboarding"],
};

describe("A status generated from the public platform's document", () => {
    for (const [field, values] of Object.entries(documentedFields)) {
        it(`is read with every value of ${field} and without that field`, async () => {
            const full = Object.fromEntries(Object.entries(documentedFields).map(([name, [value]]) => [name, value]));
            const { [field]: _, ...without } = full;
            const answers = [...values.map((value) => ({ ...full, [field]: value })), without, { [field]: values[0] }];
            await withServer(
                answers.map((answer) => json(200, answer)),
                async ({ baseUrl }) => {
                    const { documentationUpdates } = createTestClient(baseUrl).client;
                    for (const answer of answers) {
                        const { statusId, status } = await documentationUpdates.get("upd_1");
                        assert.deepEqual(
                            [statusId, status],
                            ["upd_1", (answer as { status?: string }).status ?? "unknown"],
                        );
                    }
                },
            );
        });
    }
});
