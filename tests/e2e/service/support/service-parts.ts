import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { type Outcome, run } from "../../../cli/support/command.js";
import { PostgresDatabase } from "../../../../service/src/database/postgres-database.js";
import { waitUntil } from "../../../wait-until.js";

export const siteDomains = (count: number) => Array.from({ length: count }, (_, index) => `site-${index}.example.com`);
export const adminKey = "admin_kill-key-of-services";
export const endsWithinMs = 300_000;

/** The files of a site whose export takes long enough to be interrupted. */
export const sitePages: Readonly<Record<string, string>> = Object.fromEntries(
    Array.from({ length: 60 }, (_, page) => [
        `page-${page}.md`,
        `# Page ${page}\n\n${"Some **text**.\n\n".repeat(40)}`,
    ]),
);

/** An attempt to run a job. */
export interface Run {
    job_id: string;
    attempt: number;
}

/** A service of several processes that can be killed, as its clients and operators see it. */
export abstract class ServiceParts<Part extends string> {
    /** The address for clients. */
    url = "";
    /** The number of parts that were killed and restarted. */
    kills = 0;
    /**
     * For each request that got no response because its connection was refused or closed: the number of kills when the
     * request began.
     */
    readonly unanswered: number[] = [];

    constructor(
        /** The address on this machine. */
        protected readonly database: string,
        readonly domains: readonly string[],
    ) {}

    abstract kill(part: Part): Promise<void>;
    /** Restarts a part, unless something else restarts it. */
    abstract resume(part: Part): Promise<void>;
    /** Returns the digests of all stored archives. */
    abstract stored(): Promise<string[]>;
    abstract log(): Promise<string>;

    /** Returns undefined while the service or its database is unreachable. */
    async ask(method: string, path: string, body?: object, key?: string): Promise<Record<string, unknown> | undefined> {
        const { kills } = this;
        try {
            const response = await fetch(this.url + path, {
                method,
                headers: {
                    authorization: `Bearer ${adminKey}`,
                    ...(body === undefined ? {} : { "content-type": "application/json" }),
                    ...(key === undefined ? {} : { "idempotency-key": key }),
                },
                ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            });
            if (response.status === 503) {
                assert.ok(response.headers.has("retry-after"), `${method} ${path}: 503 without Retry-After`);
                return undefined;
            }
            const text = await response.text();
            assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
            return JSON.parse(text) as Record<string, unknown>;
        } catch (error) {
            if (error instanceof TypeError) {
                this.unanswered.push(kills);
                return undefined;
            }
            throw error;
        }
    }

    /** Retries a request until it gets a response, as a client does. */
    async answer(method: string, path: string, body?: object, key?: string): Promise<Record<string, unknown>> {
        return waitUntil(`an answer to ${method} ${path}`, () => this.ask(method, path, body, key), {
            withinMs: endsWithinMs,
        });
    }

    /** Returns the runs of jobs that have not ended. */
    protected runs(): Promise<Run[]> {
        return this.sql("SELECT job_id, attempt FROM static_export_jobs WHERE status = 'running'");
    }

    /** Resolves when every run has lost its job. */
    protected async givenAway(runs: readonly Run[]): Promise<void> {
        const isAmong = (run: Run) =>
            runs.some(({ job_id: jobId, attempt }) => run.job_id === jobId && run.attempt === attempt);
        while ((await this.runs()).some(isAmong)) {
            await delay(200);
        }
    }

    /** Runs a client command to completion. */
    client(folder: string, args: readonly string[]): Promise<Outcome> {
        return run(folder, args, { STATIC_EXPORT_BASE_URL: this.url, STATIC_EXPORT_ADMIN_API_KEY: adminKey });
    }

    /** Runs a statement in the database. */
    async sql<Row>(statement: string): Promise<Row[]> {
        const database = new PostgresDatabase(this.database);
        try {
            return await database.all<Row>(statement);
        } finally {
            await database.close();
        }
    }
}
