import assert from "node:assert/strict";
import { adminApiKey, projectId, type RunningContract, withContract } from "./support/agent-contract.js";

const isDateTime = (value: unknown) => typeof value === "string" && new Date(value).toISOString() === value;
const isUri = (value: unknown) => typeof value === "string" && URL.canParse(value);
const isString = (value: unknown) => typeof value === "string" && value !== "";

/** Tests the rows of the contract's tables, in their order. */
describe("AgentJob fields in the contract:", () => {
    let jobs: Awaited<ReturnType<RunningContract["jobInEveryState"]>>;
    before(() =>
        withContract(async ({ jobInEveryState }) => {
            jobs = await jobInEveryState();
        }),
    );
    const field = (name: string) => jobs.map((job) => job[name]);

    const rows: [string, string, () => void][] = [
        ["id", "string, not nullable", () => assert.ok(field("id").every(isString))],
        [
            "status",
            "one of active, completed, archived, failed",
            () => assert.deepEqual(new Set(field("status")), new Set(["active", "completed", "archived", "failed"])),
        ],
        [
            "source",
            "object with repository (string, not nullable) and ref (string, nullable)",
            () => {
                const sources = field("source") as { repository: unknown; ref: unknown }[];
                assert.ok(sources.every(({ repository }) => isUri(repository)));
                assert.ok(sources.some(({ ref }) => ref === null) && sources.some(({ ref }) => isString(ref)));
            },
        ],
        ["model", "string, not nullable", () => assert.ok(field("model").every(isString))],
        [
            "prLink",
            "uri, nullable",
            () => {
                const links = field("prLink");
                assert.ok(links.some(isUri) && links.includes(null));
                assert.ok(links.every((link) => link === null || isUri(link)));
            },
        ],
        ["createdAt", "date-time, not nullable", () => assert.ok(field("createdAt").every(isDateTime))],
        [
            "archivedAt",
            "date-time, nullable",
            () => {
                const times = field("archivedAt");
                assert.ok(times.some(isDateTime) && times.includes(null));
                assert.ok(times.every((time) => time === null || isDateTime(time)));
            },
        ],
    ];
    for (const [name, rule, hold] of rows) {
        it(`${name}: ${rule}`, hold);
    }

    it("prLink is null while the job is active or if it changed no files, and is set once a pull request exists", async () => {
        await withContract(async ({ create, get, end }) => {
            const [changed, unchanged] = [await create(), await create()];
            assert.equal((await get(changed))["prLink"], null);
            await end(changed, "changed");
            await end(unchanged, "unchanged");
            assert.ok(isUri((await get(changed))["prLink"]));
            assert.equal((await get(unchanged))["prLink"], null);
        });
    });
});

describe("Job statuses and transitions in the contract:", () => {
    const transitions: [string, (contract: RunningContract, id: string) => Promise<unknown>, string][] = [
        ["active, agent finishes with success", ({ end }, id) => end(id, "unchanged"), "completed"],
        ["active, unrecoverable error of the agent", ({ end }, id) => end(id, "failed"), "failed"],
    ];
    for (const [when, act, status] of transitions) {
        it(`${when}: ${status}`, async () => {
            await withContract(async (contract) => {
                const id = await contract.create();
                assert.equal((await contract.get(id))["status"], "active");
                await act(contract, id);
                assert.equal((await contract.get(id))["status"], status);
            });
        });
    }

    it("a client polls until the status is completed, archived or failed", async () => {
        await withContract(async ({ client, create, end, archive }) => {
            const ends: string[] = [];
            for (const act of [(id: string) => end(id, "unchanged"), (id: string) => end(id, "failed"), archive]) {
                const id = await create();
                const done = client.agentJobs.pollUntilDone(projectId, id);
                await act(id);
                ends.push((await done).status);
            }
            assert.deepEqual(ends, ["completed", "failed", "archived"]);
        });
    });
});

describe("Errors and authentication in the contract:", () => {
    it("GET of an unknown job returns 404 with an Error whose error field is a human-readable string", async () => {
        await withContract(async ({ request }) => {
            const { status, body } = await request("GET", `/v2/agent/${projectId}/job/unknown`);
            assert.equal(status, 404);
            assert.deepEqual(Object.keys(body), ["error"]);
            assert.ok(isString(body["error"]));
        });
    });

    it("requests carry Authorization: Bearer <key>, and responses without that header disclose nothing", async () => {
        await withContract(async ({ request, create }) => {
            const path = `/v2/agent/${projectId}/job/${await create()}`;
            assert.equal((await request("GET", path, adminApiKey)).status, 200);
            assert.equal((await request("GET", path, "another")).status, 401);
            assert.equal((await request("GET", path, null)).status, 401);
        });
    });
});
