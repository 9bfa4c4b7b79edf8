import { type RequestLogEntry } from "@pulumi-static-export/service";
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitUntil } from "../../wait-until.js";
import { createFaultyService, type FaultyOptions, type FaultyService } from "./faulty-service.js";

export const adminApiKey = "admin_rehearsal-key";
export const domain = "docs.example.com";
/** This limit is much longer than any job in the specs takes, even on a busy machine. */
const reachedWithinMs = 240_000;

export interface Answer {
    status: number;
    headers: Headers;
    text: string;
    /** The parsed JSON; undefined if the body is not JSON. */
    body: Record<string, unknown>;
}

export interface RequestSettings {
    json?: unknown;
    body?: string;
    headers?: Record<string, string>;
    /** The key to send instead of the service's key; null sends no key. */
    key?: string | null;
}

export interface RunningService {
    service: FaultyService;
    requests: RequestLogEntry[];
    request: (method: string, path: string, settings?: RequestSettings) => Promise<Answer>;
    start: (body?: Record<string, unknown>) => Promise<string>;
    /** Polls like a client until the job has the status. */
    reaches: (jobId: string, status: string) => Promise<Record<string, unknown>>;
    /** Returns the link of a completed job as path and query. */
    link: (jobId: string) => Promise<string>;
}

/** Calls `use` with a temporary folder that contains a site in `site/`, and removes the folder afterwards. */
export async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "service-"));
    try {
        await mkdir(join(folder, "site"));
        await writeFile(join(folder, "site", "index.md"), "# Welcome\n\nHello.\n");
        await use(folder);
    } finally {
        // A killed process may still write its last file.
        await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
}

/**
 * Serves `folder` on a free loopback port, and closes the service when `use` has settled.
 *
 * @param create - creates a kind of service other than the one-process service
 */
export async function withServiceOver(
    folder: string,
    options: Partial<FaultyOptions>,
    use: (running: RunningService) => Promise<void>,
    create = createFaultyService,
): Promise<void> {
    const requests: RequestLogEntry[] = [];
    const service = create({
        dataDir: join(folder, "data"),
        sites: { [domain]: join(folder, "site") },
        adminApiKey,
        onRequest: (entry) => requests.push(entry),
        ...options,
    });
    try {
        await service.listen();
        await use(runningService(service, requests));
    } finally {
        await service.close();
    }
}

export async function withService(
    options: Partial<FaultyOptions>,
    use: (running: RunningService) => Promise<void>,
    create = createFaultyService,
): Promise<void> {
    await withFolder((folder) => withServiceOver(folder, options, use, create));
}

function runningService(service: FaultyService, requests: RequestLogEntry[]): RunningService {
    const request: RunningService["request"] = async (
        method,
        path,
        { json, body, headers, key = adminApiKey } = {},
    ) => {
        const response = await fetch(service.url + path, {
            method,
            headers: {
                ...(key === null ? {} : { authorization: `Bearer ${key}` }),
                ...(json === undefined ? {} : { "content-type": "application/json" }),
                ...headers,
            },
            ...(json === undefined ? {} : { body: JSON.stringify(json) }),
            ...(body === undefined ? {} : { body }),
        });
        const text = await response.text();
        const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
        return {
            status: response.status,
            headers: response.headers,
            text,
            body: (isJson && text !== "" ? JSON.parse(text) : {}) as Record<string, unknown>,
        };
    };
    return {
        service,
        requests,
        request,
        async start(body = {}) {
            const answer = await request("POST", "/v1/static-export/jobs", { json: { domain, ...body } });
            assert.equal(answer.status, 202, answer.text);
            return String(answer.body["jobId"]);
        },
        async reaches(jobId, status) {
            const reached = async () => {
                const { body } = await request("GET", `/v1/static-export/jobs/${jobId}`);
                if (body["status"] === status) {
                    return body;
                }
                assert.notEqual(body["status"], "failed", String(body["error"]));
                return undefined;
            };
            return waitUntil(`job ${jobId} is ${status}`, reached, { withinMs: reachedWithinMs });
        },
        async link(jobId) {
            const { body, text } = await request("POST", `/v1/static-export/jobs/${jobId}/bundle`);
            const { bundleUrl } = body;
            assert.equal(typeof bundleUrl, "string", text);
            return String(bundleUrl).slice(service.url.length);
        },
    };
}

/** Runs one service for all specs of a `describe` block; these specs must not change the service's state. */
export function useService(options: Partial<FaultyOptions>): () => RunningService {
    let current: RunningService | undefined;
    let release = (): void => undefined;
    let ended: Promise<void> = Promise.resolve();
    before(async () => {
        await new Promise<void>((started, failed) => {
            ended = withService(options, async (running) => {
                current = running;
                started();
                await new Promise<void>((resolve) => (release = resolve));
            });
            ended.catch(failed);
        });
    });
    after(async () => {
        release();
        await ended;
    });
    return () => {
        assert.ok(current);
        return current;
    };
}
