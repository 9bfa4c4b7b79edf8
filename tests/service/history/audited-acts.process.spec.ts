import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { mock } from "node:test";
import { domain, type RunningService, withService } from "../support/running-service.js";
import { copyingExporter } from "../support/scripted-exporter.js";

const options = {
    exporter: copyingExporter,
    projects: { docs: { repository: "https://github.com/acme/docs" } },
};

/** Lets each later statement that reads a row of `table` fail, once a request's key is stored. */
function failReads(table: string): () => void {
    const prepare = Object.getOwnPropertyDescriptor(DatabaseSync.prototype, "prepare")?.value as (
        this: DatabaseSync,
        sql: string,
    ) => ReturnType<DatabaseSync["prepare"]>;
    let isStored = false;
    const mocked = mock.method(DatabaseSync.prototype, "prepare", function (this: DatabaseSync, sql: string) {
        if (isStored && sql.startsWith(`SELECT * FROM ${table} WHERE `)) {
            throw new Error("disk I/O error");
        }
        isStored ||= sql.startsWith("INSERT INTO idempotency_keys");
        return prepare.call(this, sql);
    });
    return () => mocked.mock.restore();
}

/** The acts of a request whose answer fails, and which the client therefore repeats. */
async function actsOfRepeated(
    { request }: RunningService,
    table: string,
    [method, path, json]: readonly [method: string, path: string, json?: object],
): Promise<string[]> {
    const send = () => request(method, path, { json, headers: { "idempotency-key": `"key-${table}"` } });
    const restore = failReads(table);
    try {
        assert.ok((await send()).status >= 500);
    } finally {
        restore();
    }
    const { status, headers, text } = await send();
    assert.ok(status < 300, text);
    assert.equal(headers.get("idempotency-replayed"), "true");
    const { body } = await request("GET", "/v1/audit");
    return (body["entries"] as { act: string }[]).map(({ act }) => act.replaceAll(/_[0-9a-f]+/g, "_1"));
}

describe("An act whose answer fails because the database cannot be read", () => {
    it("is in the audit log once if it started an export", async () => {
        await withService(options, async (running) => {
            const acts = await actsOfRepeated(running, "static_export_jobs", [
                "POST",
                "/v1/static-export/jobs",
                { domain },
            ]);
            assert.deepEqual(acts, [`started export job se_1 of ${domain}`]);
        });
    });

    it("is in the audit log once if it started an agent job", async () => {
        await withService(options, async (running) => {
            const json = { prompt: "Fix typos." };
            const acts = await actsOfRepeated(running, "agent_jobs", ["POST", "/v2/agent/docs/job", json]);
            assert.deepEqual(acts, ["started agent job aj_1 of project docs"]);
        });
    });

    it("is in the audit log once if it sent a message to an agent job", async () => {
        await withService(options, async (running) => {
            const json = { prompt: "Fix typos." };
            const { body } = await running.request("POST", "/v2/agent/docs/job", { json });
            const path = `/v2/agent/docs/job/${String(body["id"])}/message`;
            const acts = await actsOfRepeated(running, "agent_jobs", ["POST", path, json]);
            assert.deepEqual(acts, ["sent a message to agent job aj_1", "started agent job aj_1 of project docs"]);
        });
    });

    it("is in the audit log once if it revoked a key", async () => {
        await withService(options, async (running) => {
            const json = { name: "ci", scopes: ["read"] };
            const { body } = await running.request("POST", "/v1/keys", { json });
            const { id } = body["key"] as { id: string };
            const acts = await actsOfRepeated(running, "admin_keys", ["DELETE", `/v1/keys/${id}`]);
            assert.deepEqual(acts, [
                "revoked key ci (ak_1)",
                "created key ci (ak_1): read for everything, without an expiry",
            ]);
        });
    });
});
