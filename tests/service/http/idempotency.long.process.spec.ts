import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
    type Answer,
    domain,
    type RunningService,
    withFolder,
    withService,
    withServiceOver,
} from "../support/running-service.js";
import { ranUntil } from "../support/ran-until.js";
import { copyingExporter } from "../support/scripted-exporter.js";

const dayMs = 24 * 3600 * 1000;
const projects = {
    docs: { repository: "https://github.com/acme/docs" },
    blog: { repository: "https://github.com/acme/blog" },
};
const options = { exporter: copyingExporter, projects };
const jobs = "/v1/static-export/jobs";
const agentJobs = "/v2/agent/docs/job";

type Post = (running: RunningService, key: string | undefined, json: object) => Promise<Answer>;

function postTo(path: string): Post {
    return ({ request }, key, json) =>
        request("POST", path, { json, headers: key === undefined ? {} : { "idempotency-key": key } });
}

async function createAgentJob(running: RunningService): Promise<string> {
    const { body } = await running.request("POST", agentJobs, { json: { prompt: "Fix typos." } });
    return String(body["id"]);
}

const idOf = ({ body, text }: Answer): string => {
    const id = body["jobId"] ?? body["id"];
    assert.ok(typeof id === "string", text);
    return id;
};

const starts: [string, Post, object, object][] = [
    ["start of an export", postTo(jobs), { domain }, { domain, version: "2" }],
    ["creation of an agent job", postTo(agentJobs), { prompt: "Fix typos." }, { prompt: "Fix links." }],
];

for (const [name, post, body, otherBody] of starts) {
    describe(`The ${name} with an Idempotency-Key`, () => {
        it("returns the same job to a retry, and marks the response as replayed", async () => {
            await withService(options, async (running) => {
                const first = await post(running, "k1", body);
                const second = await post(running, "k1", body);
                assert.deepEqual([second.status, idOf(second)], [first.status, idOf(first)]);
                assert.deepEqual(
                    [first, second].map(({ headers }) => headers.get("idempotency-replayed")),
                    [null, "true"],
                );
            });
        });

        it("starts another job for a different key or no key", async () => {
            await withService(options, async (running) => {
                const ids = [];
                for (const key of ["k1", "k2", undefined, undefined]) {
                    ids.push(idOf(await post(running, key, body)));
                }
                assert.equal(new Set(ids).size, 4);
            });
        });

        it("refuses a different body with a used key", async () => {
            await withService(options, async (running) => {
                await post(running, "k1", body);
                const { status, body: answer } = await post(running, "k1", otherBody);
                assert.equal(status, 422);
                assert.deepEqual(answer, {
                    error: "This Idempotency-Key was used with another body: send a new key with a new request.",
                });
            });
        });

        it("returns the same job after a restart of the service", async () => {
            await withFolder(async (folder) => {
                const ids: string[] = [];
                for (let run = 0; run < 2; run += 1) {
                    await withServiceOver(folder, options, async (running) => {
                        ids.push(idOf(await post(running, "k1", body)));
                    });
                }
                assert.equal(ids[0], ids[1]);
            });
        });

        for (const [title, days, limits] of [
            ["remembers the key for exactly seven days", 7, {}],
            ["remembers the key for a day longer than a job may take", 9, { jobTimeoutSeconds: 8 * 86_400 }],
        ] as const) {
            it(title, async () => {
                let now = Date.parse("2026-11-01T10:00:00Z");
                const limited = { ...options, ...limits, clock: () => now };
                await withFolder(async (folder) => {
                    let first = "";
                    await withServiceOver(folder, limited, async (running) => {
                        const answer = await post(running, "k1", body);
                        assert.equal(answer.headers.get("idempotency-key-max-age"), String(days * 86_400));
                        first = idOf(answer);
                    });
                    now += days * dayMs - 1;
                    ranUntil(folder, now);
                    await withServiceOver(folder, limited, async (running) => {
                        assert.equal(idOf(await post(running, "k1", body)), first);
                        now += 1;
                        assert.notEqual(idOf(await post(running, "k1", body)), first);
                    });
                });
            });
        }

        it("returns the same job after a change of the service's admin key", async () => {
            await withFolder(async (folder) => {
                const ids: string[] = [];
                for (const adminApiKey of ["the-first-admin-key", "the-second-admin-key"]) {
                    await withServiceOver(folder, { ...options, adminApiKey }, async (running) => {
                        const { request } = running;
                        const withKey: RunningService = {
                            ...running,
                            request: (method, path, settings = {}) =>
                                request(method, path, { ...settings, key: adminApiKey }),
                        };
                        ids.push(idOf(await post(withKey, "k1", body)));
                    });
                }
                assert.equal(ids[0], ids[1]);
            });
        });

        it("finds its job if the response to the first request was lost", async () => {
            await withService({ ...options, faults: [] }, async (running) => {
                const lost = name.startsWith("start") ? "start:ambiguous,times=1" : "agent-start:ambiguous,times=1";
                running.service.setFaults([lost]);
                await assert.rejects(post(running, "k1", body));
                const { headers } = await post(running, "k1", body);
                assert.equal(headers.get("idempotency-replayed"), "true");
            });
        });

        it("refuses a key that is empty, too long or not visible ASCII", async () => {
            await withService(options, async (running) => {
                for (const key of ["", "k".repeat(256), "k 1", "k\u00e9"]) {
                    const { status, body: answer } = await post(running, key, body);
                    assert.equal(status, 400);
                    assert.match(String(answer["error"]), /^idempotency-key must be a key of 1 to 255 visible ASCII/);
                }
                assert.equal((await post(running, "k".repeat(255), body)).status < 300, true);
            });
        });
    });
}

describe("A message with an Idempotency-Key", () => {
    /** Calls `send`, and returns the job's prompts in the service's database. */
    async function promptsAfter(send: (running: RunningService, id: string) => Promise<void>): Promise<unknown[]> {
        let stored: unknown[] = [];
        await withFolder(async (folder) => {
            await withServiceOver(folder, options, async (running) => send(running, await createAgentJob(running)));
            const database = new DatabaseSync(join(folder, "data", "service.sqlite"));
            stored = database
                .prepare("SELECT prompt FROM agent_prompts ORDER BY sequence")
                .all()
                .map(({ prompt }) => prompt);
            database.close();
        });
        return stored.map((prompt) => JSON.parse(String(prompt)) as unknown);
    }

    it("is stored once, even if its job has since been archived", async () => {
        const prompts = await promptsAfter(async (running, id) => {
            const post = postTo(`${agentJobs}/${id}/message`);
            await post(running, "k1", { prompt: "And links." });
            await running.request("POST", `${agentJobs}/${id}/archive`);
            const { status, body, headers } = await post(running, "k1", { prompt: "And links." });
            assert.deepEqual([status, body["status"], headers.get("idempotency-replayed")], [200, "archived", "true"]);
        });
        assert.deepEqual(prompts, ["Fix typos.", "And links."]);
    });

    it("is refused and not stored if a used key has a different body", async () => {
        const prompts = await promptsAfter(async (running, id) => {
            const post = postTo(`${agentJobs}/${id}/message`);
            await post(running, "k1", { prompt: "And links." });
            assert.equal((await post(running, "k1", { prompt: "And images." })).status, 422);
        });
        assert.deepEqual(prompts, ["Fix typos.", "And links."]);
    });
});

describe("An Idempotency-Key", () => {
    it("is independent for each project, job and operation", async () => {
        await withService(options, async (running) => {
            const id = await createAgentJob(running);
            const prompt = { prompt: "Fix typos." };
            const answers = [
                await postTo(jobs)(running, "k1", { domain }),
                await postTo(agentJobs)(running, "k1", prompt),
                await postTo("/v2/agent/blog/job")(running, "k1", prompt),
                await postTo(`${agentJobs}/${id}/message`)(running, "k1", prompt),
            ];
            assert.deepEqual(
                answers.map(({ headers }) => headers.get("idempotency-replayed")),
                [null, null, null, null],
            );
            assert.equal(new Set(answers.map(idOf)).size, 4);
        });
    });

    it("is independent for each domain", async () => {
        await withFolder(async (folder) => {
            const site = join(folder, "site");
            const sites = { [domain]: site, "other.example.com": site };
            await withServiceOver(folder, { ...options, sites }, async (running) => {
                const first = await postTo(jobs)(running, "k1", { domain });
                const other = await postTo(jobs)(running, "k1", { domain: "other.example.com" });
                assert.deepEqual([other.status, other.headers.get("idempotency-replayed")], [202, null]);
                assert.equal(idOf(await postTo(jobs)(running, "k1", { domain })), idOf(first));
            });
        });
    });

    it("starts another job if its own job has been removed", async () => {
        let now = Date.parse("2026-11-01T10:00:00Z");
        const forgetful = { ...options, keepDays: 1, clock: () => now };
        await withFolder(async (folder) => {
            let removed = "";
            await withServiceOver(folder, forgetful, async (running) => {
                removed = idOf(await postTo(jobs)(running, "k1", { domain }));
                await running.reaches(removed, "completed");
                // Another job follows, because the service never removes the newest completed job of a domain.
                await running.reaches(await running.start(), "completed");
            });
            now += 2 * dayMs;
            ranUntil(folder, now);
            await withServiceOver(folder, forgetful, async (running) => {
                assert.equal((await running.request("GET", `${jobs}/${removed}`)).status, 404);
                const [first, second] = [
                    await postTo(jobs)(running, "k1", { domain }),
                    await postTo(jobs)(running, "k1", { domain }),
                ];
                assert.deepEqual([first.status, first.headers.get("idempotency-replayed")], [202, null]);
                assert.deepEqual([idOf(second), second.headers.get("idempotency-replayed")], [idOf(first), "true"]);
            });
        });
    });

    it("is not used up by a refused request", async () => {
        await withService(options, async (running) => {
            assert.equal((await postTo(jobs)(running, "k1", { domain: "other.example.com" })).status, 403);
            assert.equal((await postTo(jobs)(running, "k1", { domain })).status, 202);
        });
    });

    it("has a lifetime that every API response reports in seconds", async () => {
        await withService(options, async ({ request }) => {
            const answers = [
                await request("GET", `${jobs}/unknown`),
                await request("GET", `${jobs}/unknown`, { key: null }),
                await request("POST", jobs, { json: {} }),
                await request("POST", jobs, { json: { domain } }),
            ];
            assert.deepEqual(
                answers.map(({ status, headers }) => [status, headers.get("idempotency-key-max-age")]),
                [404, 401, 400, 202].map((status) => [status, "604800"]),
            );
        });
    });
});
