import assert from "node:assert/strict";
import { join } from "node:path";
import { domain, type RunningService, withFolder, withServiceOver } from "../support/running-service.js";
import { copyingExporter } from "../support/scripted-exporter.js";

const other = "other.example.com";
const jobs = "/v1/static-export/jobs";

interface Fixture extends RunningService {
    log: string[];
    passes: (ms: number) => void;
    makeKey: (wanted: object) => Promise<{ id: string; secret: string }>;
}

/** Runs a service with the embedded database, two sites and two projects. */
async function withTeams(use: (fixture: Fixture) => Promise<void>): Promise<void> {
    let now = Date.parse("2026-11-01T10:00:00Z");
    const log: string[] = [];
    const logger = { info: (line: string) => void log.push(line), error: (line: string) => void log.push(line) };
    await withFolder(async (folder) => {
        const sites = { [domain]: join(folder, "site"), [other]: join(folder, "site") };
        const repository = "https://git.example.com/docs";
        const projects = { docs: { repository }, billing: { repository } };
        const options = { sites, projects, logger, exporter: copyingExporter, clock: () => now };
        await withServiceOver(folder, options, async (running) => {
            const makeKey: Fixture["makeKey"] = async (wanted) => {
                const { status, body, text } = await running.request("POST", "/v1/keys", { json: wanted });
                assert.equal(status, 201, text);
                return { id: (body["key"] as { id: string }).id, secret: String(body["secret"]) };
            };
            await use({ ...running, log, makeKey, passes: (ms) => (now += ms) });
        });
    });
}

describe("Keys of a service with the embedded database", () => {
    it("are created, listed with their last use, rotated with a grace period, and revoked", async () => {
        await withTeams(async ({ request, makeKey, passes, log }) => {
            const { id, secret } = await makeKey({ name: "ci", scopes: ["export"], domains: [domain] });
            assert.equal((await request("POST", jobs, { key: secret, json: { domain } })).status, 202);
            const { body } = await request("GET", "/v1/keys");
            const [listed] = body["keys"] as Record<string, unknown>[];
            assert.deepEqual(
                [listed?.["name"], listed?.["createdBy"], listed?.["lastUsedAt"]],
                ["ci", "the service's key", "2026-11-01T10:00:00.000Z"],
            );
            assert.ok(!JSON.stringify(body).includes(secret));

            const rotated = await request("POST", `/v1/keys/${id}/rotate?graceSeconds=60`);
            const newSecret = String(rotated.body["secret"]);
            assert.equal((await request("GET", "/v1/whoami", { key: secret })).status, 200);
            passes(61_000);
            assert.equal((await request("GET", "/v1/whoami", { key: secret })).status, 401);
            assert.equal((await request("GET", "/v1/whoami", { key: newSecret })).status, 200);

            assert.equal((await request("DELETE", `/v1/keys/${id}`)).status, 200);
            assert.equal((await request("GET", "/v1/whoami", { key: newSecret })).status, 401);
            assert.ok(log.some((line) => line === `Key of the service revoked key ci (${id}).`));
        });
    });

    it("end at their expiry, and say who they are", async () => {
        await withTeams(async ({ request, makeKey, passes }) => {
            const expiresAt = "2026-11-01T11:00:00.000Z";
            const { id, secret: key } = await makeKey({
                name: "short",
                scopes: ["read"],
                projects: ["docs"],
                expiresAt,
            });
            const { body } = await request("GET", "/v1/whoami", { key });
            const reach = { domains: [], projects: ["docs"] };
            assert.deepEqual(body, { name: "short", id, scopes: ["read"], ...reach, expiresAt });
            passes(3_600_000);
            assert.equal((await request("GET", "/v1/whoami", { key })).status, 401);
        });
    });

    it("manage only keys that may do no more than they themselves", async () => {
        await withTeams(async ({ request, makeKey }) => {
            const foreign = await makeKey({ name: "foreign", scopes: ["export"], domains: [other] });
            const own = { scopes: ["keys", "export"], domains: [domain] };
            const { secret: key } = await makeKey({ name: "lead", ...own });
            const make = (wanted: object) => request("POST", "/v1/keys", { key, json: { name: "new", ...wanted } });
            assert.equal((await make({ scopes: ["export"], domains: [other] })).status, 403);
            assert.equal((await make({ scopes: ["export"] })).status, 403);
            assert.equal((await make({ scopes: ["read"], domains: [domain] })).status, 403);
            assert.equal((await make({ scopes: ["export"], domains: [domain] })).status, 201);
            assert.equal((await request("DELETE", `/v1/keys/${foreign.id}`, { key })).status, 404);
            assert.equal((await request("POST", `/v1/keys/${foreign.id}/rotate`, { key })).status, 404);
            const { body } = await request("GET", "/v1/keys", { key });
            const names = (body["keys"] as { name: string }[]).map(({ name }) => name);
            assert.deepEqual(names.sort(), ["lead", "new"]);
        });
    });

    it("get other rights without a new secret, and only rights that the changer has", async () => {
        await withTeams(async ({ request, makeKey, log }) => {
            const { id, secret: key } = await makeKey({ name: "team", scopes: ["read"], domains: [domain] });
            const lead = await makeKey({ name: "lead", scopes: ["keys", "read"], domains: [domain] });
            const change = (json: object, who?: string) =>
                request("PATCH", `/v1/keys/${id}`, { json, ...(who === undefined ? {} : { key: who }) });
            assert.equal((await request("POST", jobs, { key, json: { domain: other } })).status, 403);

            const { status, body } = await change({ scopes: ["export"], domains: [domain, other] });
            assert.deepEqual([status, body["domains"]], [200, [domain, other]]);
            assert.equal((await request("POST", jobs, { key, json: { domain: other } })).status, 202);
            assert.ok(
                log.some((line) =>
                    line.startsWith(`Key of the service changed key team (${id}): export for ${domain}, `),
                ),
            );

            assert.equal((await change({ scopes: ["read"] }, lead.secret)).status, 404, "the key may do more");
            await change({ scopes: ["read"], domains: [domain] });
            assert.equal((await change({ scopes: ["export"] }, lead.secret)).status, 403);
            assert.equal((await change({ domains: null }, lead.secret)).status, 403);
            assert.equal((await change({ expiresAt: "2026-11-01T11:00:00Z" }, lead.secret)).status, 200);
            assert.equal((await change({ domains: ["*.*.com"] })).status, 400);
        });
    });

    it("pass their expiry to the keys that they create, and cannot lift it", async () => {
        await withTeams(async ({ request, makeKey }) => {
            const expiresAt = "2026-11-01T11:00:00.000Z";
            const scopes = ["keys", "export"];
            const lead = await makeKey({ name: "lead", scopes, expiresAt });
            const eternal = await makeKey({ name: "eternal", scopes });
            const asLead = (method: string, path: string, json?: object) =>
                request(method, path, { key: lead.secret, ...(json === undefined ? {} : { json }) });
            const wanted = { name: "child", scopes: ["export"] };

            const child = await asLead("POST", "/v1/keys", wanted);
            assert.equal(child.status, 201, child.text);
            const made = child.body["key"] as Record<string, unknown>;
            assert.equal(made["expiresAt"], expiresAt);
            const later = { expiresAt: "2026-11-01T12:00:00Z" };
            assert.equal((await asLead("POST", "/v1/keys", { ...wanted, name: "more", ...later })).status, 403);
            for (const each of [later, { expiresAt: null }]) {
                const changed = await asLead("PATCH", `/v1/keys/${String(made["id"])}`, each);
                assert.equal(changed.status, 403, `${JSON.stringify(each)}: ${changed.text}`);
            }

            // A key that lasts longer would lend its life to whoever gets its new secret.
            assert.equal((await asLead("POST", `/v1/keys/${eternal.id}/rotate`)).status, 403);
            assert.equal((await asLead("DELETE", `/v1/keys/${eternal.id}`)).status, 200);
        });
    });

    it("cannot change themselves", async () => {
        await withTeams(async ({ request, makeKey }) => {
            const { id, secret } = await makeKey({ name: "lead", scopes: ["keys", "export"] });
            const { status, body } = await request("PATCH", `/v1/keys/${id}`, {
                key: secret,
                json: { scopes: ["export"] },
            });
            assert.deepEqual(
                [status, body],
                [403, { error: `Key lead (${id}) cannot change itself: use another key.` }],
            );
        });
    });

    it("with a pattern reach every host below a domain, and nothing else", async () => {
        await withTeams(async ({ request, start, makeKey }) => {
            const jobId = await start({ domain: other });
            const reach = async (pattern: string): Promise<unknown[]> => {
                const scopes = ["read", "export", "keys"];
                const name = `of${pattern.replaceAll("*", "x")}`;
                const { secret: key } = await makeKey({ name, scopes, domains: [pattern] });
                const listed = (await request("GET", jobs, { key })).body["jobs"] as { jobId: string }[];
                const narrower = { name: `${name}-2`, scopes: ["read"], domains: ["*.a.example.com"] };
                return [
                    (await request("POST", jobs, { key, json: { domain } })).status,
                    (await request("GET", `${jobs}/${jobId}`, { key })).status,
                    listed.some((job) => job.jobId === jobId),
                    (await request("POST", "/v1/keys", { key, json: narrower })).status,
                ];
            };
            assert.deepEqual(await reach("*.example.com"), [202, 200, true, 201]);
            assert.deepEqual(await reach("*.le.com"), [403, 404, false, 403]);
            assert.deepEqual(await reach(`*.${domain}`), [403, 404, false, 403]);
        });
    });
});

describe("The operations for operators", () => {
    it("list jobs over all sites, by status, key and time, in pages", async () => {
        await withTeams(async ({ request, start, reaches, makeKey, passes }) => {
            const { id, secret: key } = await makeKey({ name: "ci", scopes: ["export"] });
            const first = await start();
            passes(60_000);
            const second = await start({ domain: other });
            passes(60_000);
            const third = String((await request("POST", jobs, { key, json: { domain } })).body["jobId"]);
            await Promise.all([first, second, third].map((job) => reaches(job, "completed")));
            const idsOf = async (query: string) => {
                const { body } = await request("GET", `${jobs}?${query}`);
                return [(body["jobs"] as { jobId: string }[]).map(({ jobId }) => jobId), body["next"]] as const;
            };
            const [page, next] = await idsOf("limit=2");
            assert.deepEqual(page, [third, second]);
            assert.deepEqual(await idsOf(`limit=2&cursor=${String(next)}`), [[first], null]);
            assert.deepEqual(await idsOf(`key=${id}`), [[third], null]);
            assert.deepEqual(await idsOf("key=service&status=completed,failed"), [[second, first], null]);
            const between = "since=2026-11-01T10:00:30Z&until=2026-11-01T10:01:30Z";
            assert.deepEqual(await idsOf(between), [[second], null]);
            assert.deepEqual(await idsOf("status=failed"), [[], null]);
        });
    });

    it("show who started a job, how long its steps took, and its log", async () => {
        await withTeams(async ({ request, start, reaches }) => {
            const jobId = await start({ version: "7" });
            await reaches(jobId, "completed");
            const { body } = await request("GET", `${jobs}/${jobId}/details`);
            assert.deepEqual(body["key"], { id: "service", name: "key of the service" });
            const phases = (body["phases"] as { name: string }[]).map(({ name }) => name);
            assert.deepEqual(phases, ["queue", "prepare", "export", "store"]);
            const lines = (body["log"] as { message: string }[]).map(({ message }) => message);
            assert.equal(lines[0], "Attempt 1 begins.");
            assert.match(lines.at(-1) ?? "", /^Exported \d+ pages?\.$/);
            assert.match(String(body["worker"]), /^wk_/);
        });
    });

    it("list sites with their last export, and count the sites in each state", async () => {
        await withTeams(async ({ request, start, reaches, service }) => {
            service.setFaults(["export:fail=disk on fire,times=1"]);
            const jobId = await start();
            const failed = async () => (await request("GET", `${jobs}/${jobId}`)).body["status"] === "failed";
            while (!(await failed())) {
                await new Promise((resolve) => setImmediate(resolve));
            }
            await reaches(await start({ domain: other }), "completed");
            const { body } = await request("GET", "/v1/sites");
            const sites = body["sites"] as { domain: string; state: string; lastExport: { error?: string } }[];
            assert.deepEqual(
                sites.map((site) => [site.domain, site.state, site.lastExport.error]),
                [
                    [domain, "failed", "disk on fire"],
                    [other, "completed", undefined],
                ],
            );
            assert.equal((body["states"] as Record<string, number>)["failed"], 1);
            const found = await request("GET", "/v1/sites?search=OTHER");
            assert.equal(found.body["total"], 1);
        });
    });

    it("count exports, failures and pages by site and by key", async () => {
        await withTeams(async ({ request, start, reaches, makeKey, passes }) => {
            const early = await start({ domain: other });
            await reaches(early, "completed");
            passes(2 * 86_400_000);
            const { secret: key } = await makeKey({ name: "ci", scopes: ["export", "read"], domains: [domain] });
            await reaches(String((await request("POST", jobs, { key, json: { domain } })).body["jobId"]), "completed");
            await reaches(await start(), "completed");
            const count = async (query: string, who?: string) => {
                const { body } = await request("GET", `/v1/statistics${query}`, who === undefined ? {} : { key: who });
                const rows = body["rows"] as { name: string; exports: number; failed: number }[];
                return rows.map(({ name, exports, failed }) => [name, exports, failed]);
            };
            assert.deepEqual(await count(""), [
                [domain, 2, 0],
                [other, 1, 0],
            ]);
            assert.deepEqual(await count("?days=1"), [[domain, 2, 0]]);
            assert.deepEqual(await count("?by=key"), [
                ["key of the service", 2, 0],
                ["ci", 1, 0],
            ]);
            assert.deepEqual(await count("", key), [[domain, 2, 0]]);
            assert.equal((await request("GET", "/v1/statistics?by=key", { key })).status, 403);
        });
    });
});
