import { type AgentProject } from "../../agents/agent-job-store.js";
import { type JobHistory } from "../../history/job-history.js";
import { type SiteOverview } from "../../history/site-overview.js";
import { type Workers } from "../../history/workers.js";
import { type QueueState } from "../../jobs/job-kind.js";
import { dayMs } from "../../shared/day-ms.js";
import { assertUnlimited, maySee } from "../protocol/caller.js";
import { StatisticsQuery } from "../protocol/operator-requests.js";
import { errorAnswers, Shared } from "../protocol/schemas.js";
import { type App } from "../protocol/typed-app.js";
import { type JobAnswers } from "./job-answers.js";

/** What operators see of the service itself. */
export interface ServiceFacts {
    version: string;
    database: "embedded" | "postgresql";
    storage: "folder" | "bucket";
    /** The numeric options. */
    limits: Readonly<Record<string, number>>;
    startedAt: Date;
}

export interface ServiceRoutesOptions {
    facts: ServiceFacts;
    workers: Workers;
    overview: SiteOverview;
    history: Pick<JobHistory, "statistics">;
    answers: Pick<JobAnswers, "namesOf">;
    clock: () => number;
    projects: ReadonlyMap<string, AgentProject>;
    exportJobs: { queue(): Promise<QueueState> };
    agentJobs: { queue(): Promise<QueueState> };
    /** What does not work now. */
    findProblems: () => Promise<string[]>;
    /** The disk of the data folder; undefined if it is unknown. */
    measureDisk: () => Promise<{ freeBytes: number; totalBytes: number } | undefined>;
}

const security = [{ adminApiKey: [] }];
const tags = ["Service"];

export function addServiceRoutes(app: App, options: ServiceRoutesOptions): void {
    const { history, answers, clock } = options;
    const { facts, workers, overview, projects, exportJobs, agentJobs, findProblems, measureDisk } = options;

    app.get(
        "/v1/workers",
        {
            config: { operation: "workers", scopes: ["read"] },
            schema: {
                operationId: "listWorkers",
                summary: "List the processes that run jobs",
                tags,
                security,
                response: {
                    200: Shared("Workers", "The workers of the last day, the newest first."),
                    ...errorAnswers(401, 403, 500, 503),
                },
            },
        },
        async ({ caller }) => {
            assertUnlimited(caller);
            const found = await workers.list();
            return {
                workers: found.map((worker) => ({
                    ...worker,
                    startedAt: worker.startedAt.toISOString(),
                    seenAt: worker.seenAt.toISOString(),
                })),
            };
        },
    );

    app.get(
        "/v1/usage",
        {
            config: { operation: "usage", scopes: ["read"] },
            schema: {
                operationId: "getUsage",
                summary: "Get the storage that the bundles of each domain use",
                tags,
                security,
                response: {
                    200: Shared("Usage", "The stored bundles of the key's domains."),
                    ...errorAnswers(401, 403, 500, 503),
                },
            },
        },
        async ({ caller }) => {
            const all = await overview.usage();
            const sites = all
                .filter(({ domain }) => maySee(caller, domain))
                .sort((one, other) => other.bytes - one.bytes);
            const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);
            return {
                sites,
                bundles: sum(sites.map(({ bundles }) => bundles)),
                bytes: sum(sites.map(({ bytes }) => bytes)),
            };
        },
    );

    app.get(
        "/v1/statistics",
        {
            config: { operation: "statistics", scopes: ["read"] },
            schema: {
                operationId: "getStatistics",
                summary: "Count the exports, failures and pages of each site or each key",
                tags,
                security,
                querystring: StatisticsQuery,
                response: {
                    200: Shared("Statistics", "The exports that are still kept, those with the most first."),
                    ...errorAnswers(400, 401, 403, 500, 503),
                },
            },
        },
        async ({ query, caller }) => {
            const { by = "site", days = "7" } = query;
            const since = new Date(clock() - Number(days) * dayMs);
            if (by === "key") {
                assertUnlimited(caller);
                const found = await history.statistics("key", since);
                const nameOf = await answers.namesOf(found.map(({ name }) => name));
                return {
                    since: since.toISOString(),
                    rows: found.map(({ name: id, ...counts }) => ({
                        ...counts,
                        name: nameOf(id),
                        ...(id === null ? {} : { keyId: id }),
                    })),
                };
            }
            const found = await history.statistics("site", since);
            const rows = found.map(({ name, ...counts }) => ({ ...counts, name: name ?? "" }));
            return { since: since.toISOString(), rows: rows.filter(({ name }) => maySee(caller, name)) };
        },
    );

    app.get(
        "/v1/service",
        {
            config: { operation: "service", scopes: ["read"] },
            schema: {
                operationId: "getService",
                summary: "Get the version, health and limits of the service",
                tags,
                security,
                response: {
                    200: Shared("ServiceState", "The service, as this process sees it."),
                    ...errorAnswers(401, 403, 500, 503),
                },
            },
        },
        async ({ caller }) => {
            assertUnlimited(caller);
            const [problems, disk, exports, prompts] = await Promise.all([
                findProblems(),
                measureDisk(),
                exportJobs.queue(),
                agentJobs.queue(),
            ]);
            return {
                ...facts,
                limits: { ...facts.limits },
                startedAt: facts.startedAt.toISOString(),
                problems,
                disk: disk ?? null,
                queue: { exports: exports.queued, running: exports.running, prompts: prompts.queued },
                projects: [...projects].map(([id, { repository, ref = null }]) => ({ id, repository, ref })),
            };
        },
    );
}
