import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { waitUntil } from "../../wait-until.js";
import { type Serving } from "./command.js";

export const jobs = "/v1/static-export/jobs";

export async function call(
    url: string,
    key: string,
    method: string,
    path: string,
    json?: object,
): Promise<Record<string, unknown>> {
    const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(json ? { "content-type": "application/json" } : {}) },
        ...(json ? { body: JSON.stringify(json) } : {}),
    });
    return { status: response.status, ...((await response.json()) as object) };
}

export async function generatedKey(folder: string): Promise<string> {
    return (await readFile(join(folder, ".static-export", "admin-api-key"), "utf8")).trim();
}

export async function completes(url: string, key: string, jobId: unknown): Promise<void> {
    await waitUntil(`job ${String(jobId)} is completed`, async () => {
        const { status } = await call(url, key, "GET", `${jobs}/${String(jobId)}`);
        assert.notEqual(status, "failed");
        return status === "completed";
    });
}

export async function start({ url }: Pick<Serving, "url">, key: string): Promise<unknown> {
    return (await call(url, key, "POST", jobs, { domain: "docs.example.com" }))["jobId"];
}
