import { migrateDatabase } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { join } from "node:path";
import { AdminKeys } from "../../../service/src/keys/admin-keys.js";
import { PostgresDatabase } from "../../../service/src/database/postgres-database.js";
import { usePostgres } from "../support/postgres.js";
import { adminApiKey, domain, type RunningService, withFolder, withServiceOver } from "../support/running-service.js";

const jobs = "/v1/static-export/jobs";
const other = "other.example.com";
const startMs = Date.parse("2026-11-01T10:00:00Z");

describe("Admin API keys in a shared database", () => {
    const server = usePostgres();

    interface Fixture extends RunningService {
        /** Creates a key, and returns its secret. */
        make: (wanted?: object) => Promise<string>;
        /** The id of the key with this name. */
        idOf: (name: string) => Promise<string>;
        database: string;
        log: string[];
        passes: (ms: number) => void;
    }

    async function withKeys(use: (fixture: Fixture) => Promise<void>): Promise<void> {
        const database = await server().createDatabase();
        await migrateDatabase(database);
        let now = startMs;
        const log: string[] = [];
        const logger = { info: (line: string) => void log.push(line), error: (line: string) => void log.push(line) };
        await withFolder(async (folder) => {
            const sites = { [domain]: join(folder, "site"), [other]: join(folder, "site") };
            const repository = "https://git.example.com/docs";
            const projects = { docs: { repository }, billing: { repository } };
            const options = { database, sites, projects, logger, clock: () => now };
            await withServiceOver(folder, options, async (running) => {
                const make: Fixture["make"] = async (wanted) => {
                    const json = { name: "ci", scopes: ["export"], ...wanted };
                    const { status, body } = await running.request("POST", "/v1/keys", { json });
                    assert.equal(status, 201, String(body["error"]));
                    return String(body["secret"]);
                };
                const idOf: Fixture["idOf"] = async (name) => {
                    const { body } = await running.request("GET", "/v1/keys");
                    const keys = body["keys"] as { id: string; name: string }[];
                    return keys.find((key) => key.name === name)?.id ?? "";
                };
                await use({ ...running, make, idOf, database, log, passes: (ms) => (now += ms) });
            });
        });
    }

    it("are accepted by a running service immediately, and refused after they are revoked", async () => {
        await withKeys(async ({ request, make, idOf }) => {
            const key = await make();
            assert.equal((await request("POST", jobs, { key, json: { domain } })).status, 202);
            await request("DELETE", `/v1/keys/${await idOf("ci")}`);
            const { status, body } = await request("POST", jobs, { key, json: { domain } });
            assert.equal(status, 401);
            const error = "The admin API key is unknown, has expired or was revoked.";
            assert.deepEqual(body, { error });
            assert.notEqual(await make(), key, "the name is free again");
        });
    });

    it("do not affect the service's own key", async () => {
        await withKeys(async ({ request, make }) => {
            await make();
            assert.equal((await request("POST", jobs, { key: adminApiKey, json: { domain } })).status, 202);
        });
    });

    it("are refused as soon as they expire", async () => {
        await withKeys(async ({ request, make, passes }) => {
            const key = await make({ expiresAt: new Date(startMs + 3600_000).toISOString() });
            assert.equal((await request("POST", jobs, { key, json: { domain } })).status, 202);
            passes(3600_000);
            assert.equal((await request("POST", jobs, { key, json: { domain } })).status, 401);
        });
    });

    it("cannot be created with a time of expiry that has passed", async () => {
        await withKeys(async ({ request }) => {
            const json = { name: "ci", scopes: ["read"], expiresAt: "2026-11-01T10:00:00Z" };
            const { status, body } = await request("POST", "/v1/keys", { json });
            const error = "expiresAt must be in the future, but is 2026-11-01T10:00:00Z. To end a key now, revoke it.";
            assert.deepEqual([status, body], [400, { error }]);
        });
    });

    it("cannot be changed to expire at a time that has passed, and keep their rights", async () => {
        await withKeys(async ({ request, make, idOf }) => {
            const key = await make();
            const json = { expiresAt: "2026-10-01T10:00:00Z" };
            assert.equal((await request("PATCH", `/v1/keys/${await idOf("ci")}`, { json })).status, 400);
            assert.equal((await request("POST", jobs, { key, json: { domain } })).status, 202);
        });
    });

    it("allow only the operations in their scopes", async () => {
        await withKeys(async ({ request, make, start }) => {
            const jobId = await start();
            const keys = {
                read: await make({ name: "r", scopes: ["read"] }),
                export: await make({ name: "e", scopes: ["export"] }),
                agent: await make({ name: "a", scopes: ["agent"] }),
            };
            const prompt = { prompt: "Fix typos." };
            const allowed: Record<string, unknown> = {};
            for (const [scope, key] of Object.entries(keys)) {
                allowed[scope] = [
                    (await request("POST", jobs, { key, json: { domain } })).status,
                    (await request("GET", `${jobs}/${jobId}`, { key })).status,
                    (await request("POST", `${jobs}/${jobId}/bundle`, { key })).status,
                    (await request("POST", "/v2/agent/docs/job", { key, json: prompt })).status,
                    (await request("GET", "/v2/agent/docs/job/aj_42", { key })).status,
                ];
            }
            // 409 means that the job is still queued, and 404 that the agent job does not exist.
            assert.deepEqual(allowed, {
                read: [403, 200, 409, 403, 404],
                export: [202, 200, 409, 403, 403],
                agent: [403, 403, 403, 201, 404],
            });
            const { body } = await request("POST", jobs, { key: keys.read, json: { domain } });
            assert.deepEqual(body, { error: "Admin API key r has the scopes read, but this request needs export." });
        });
    });

    it("limited to a domain can neither start nor see exports of other domains", async () => {
        await withKeys(async ({ request, make, start }) => {
            const key = await make({ scopes: ["export", "read"], domains: ["Docs.Example.com"] });
            const foreign = await start({ domain: other });
            assert.equal((await request("POST", jobs, { key, json: { domain } })).status, 202);
            const refused = await request("POST", jobs, { key, json: { domain: other } });
            assert.deepEqual(
                [refused.status, refused.body["error"]],
                [403, `Static export is not enabled for ${other}. The enabled domains are: ${domain}.`],
            );
            assert.equal((await request("GET", `${jobs}/${foreign}`, { key })).status, 404);
            assert.equal((await request("POST", `${jobs}/${foreign}/bundle`, { key })).status, 404);
            assert.equal((await request("GET", "/v2/agent/docs/job/aj_42", { key })).status, 403);
        });
    });

    it("limited to a project can neither start nor see agent jobs of other projects, nor exports", async () => {
        await withKeys(async ({ request, make, start }) => {
            const key = await make({ name: "writers", scopes: ["agent", "read"], projects: ["docs"] });
            const prompt = { prompt: "Fix typos." };
            const foreign = await request("POST", "/v2/agent/billing/job", { key: adminApiKey, json: prompt });
            const path = `/v2/agent/billing/job/${String(foreign.body["id"])}`;
            const own = await request("POST", "/v2/agent/docs/job", { key, json: prompt });
            assert.equal(own.status, 201);
            const refused = [
                await request("POST", "/v2/agent/billing/job", { key, json: prompt }),
                await request("POST", "/v2/agent/unknown/job", { key, json: prompt }),
                await request("GET", path, { key }),
                await request("POST", `${path}/message`, { key, json: prompt }),
                await request("POST", `${path}/archive`, { key }),
                await request("GET", `${jobs}?domain=${domain}`, { key }),
            ];
            const error = "Admin API key writers is for agent jobs of docs only.";
            assert.deepEqual(
                refused.map(({ status, body }) => [status, body["error"]]),
                refused.map(() => [403, error]),
            );
            const moved = `/v2/agent/docs/job/${String(foreign.body["id"])}`;
            assert.equal((await request("GET", moved, { key })).status, 404);
            assert.equal((await request("GET", `${jobs}/${await start()}`, { key })).status, 404);
        });
    });

    it("may cover both domains and projects", async () => {
        await withKeys(async ({ request, make }) => {
            const limits = { domains: [domain], projects: ["docs"] };
            const key = await make({ scopes: ["export", "agent"], ...limits });
            const prompt = { prompt: "Fix typos." };
            assert.equal((await request("POST", jobs, { key, json: { domain } })).status, 202);
            assert.equal((await request("POST", "/v2/agent/docs/job", { key, json: prompt })).status, 201);
            const { body } = await request("POST", "/v2/agent/billing/job", { key, json: prompt });
            assert.deepEqual(body, {
                error: `Admin API key ci is for exports of ${domain} and agent jobs of docs only.`,
            });
        });
    });

    it("are logged by name and id at each start, message and archiving, but never in full", async () => {
        await withKeys(async ({ request, make, idOf, log }) => {
            const key = await make({ scopes: ["export", "agent"] });
            const { body } = await request("POST", jobs, { key, json: { domain } });
            const agent = "/v2/agent/docs/job";
            const prompt = { key, json: { prompt: "Fix typos." } };
            const { id } = (await request("POST", agent, prompt)).body;
            await request("POST", `${agent}/${String(id)}/message`, prompt);
            await request("POST", `${agent}/${String(id)}/archive`, { key });
            await request("POST", jobs, { key: adminApiKey, json: { domain: other } });
            const lines = log.filter((line) => line.startsWith("Key ") && !line.includes("created key"));
            const named = `Key ci (${await idOf("ci")})`;
            assert.deepEqual(lines.slice(0, 4), [
                `${named} started export job ${String(body["jobId"])} of ${domain}.`,
                `${named} started agent job ${String(id)} of project docs.`,
                `${named} sent a message to agent job ${String(id)}.`,
                `${named} archived agent job ${String(id)}.`,
            ]);
            assert.match(lines[4] ?? "", /^Key of the service started export job /);
            assert.ok(!log.join("\n").includes(key));
        });
    });

    it("are stored as digests only", async () => {
        await withKeys(async ({ make, database }) => {
            const key = await make();
            const sql = new PostgresDatabase(database);
            const stored = JSON.stringify(await sql.all("SELECT * FROM admin_keys"));
            assert.ok(!stored.includes(key.replace("admin_", "")));
            assert.equal((await new AdminKeys(sql, Date.now).find(key))?.name, "ci");
            await sql.close();
        });
    });

    it("are refused if their name is taken, or if a scope has no target", async () => {
        await withKeys(async ({ make }) => {
            await make();
            await assert.rejects(make(), /Key ci already exists/);
            await assert.rejects(
                make({ name: "a", scopes: ["agent"], domains: [domain] }),
                /cannot reach agent jobs: name its projects/,
            );
            await assert.rejects(make({ name: "a", projects: ["docs"] }), /cannot reach exports: name its domains/);
            await assert.rejects(make({ name: "a b" }), /a name of up to 64 letters/);
            await assert.rejects(make({ name: "a", domains: ["https://x"] }), /a domain such as docs\.example\.com/);
        });
    });
});
