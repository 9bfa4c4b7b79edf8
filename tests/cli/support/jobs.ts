import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
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
    for (let poll = 0; poll < 10_000; poll += 1, await delay(20)) {
        const { status } = await call(url, key, "GET", `${jobs}/${String(jobId)}`);
        if (status === "completed") {
            return;
        }
        assert.notEqual(status, "failed");
    }
    assert.fail(`Job ${String(jobId)} did not complete.`);
}

export async function start({ url }: Pick<Serving, "url">, key: string): Promise<unknown> {
    return (await call(url, key, "POST", jobs, { domain: "docs.example.com" }))["jobId"];
}
