import { canonicalDomain } from "@pulumi-static-export/contract";
import { type AgentProject } from "../../agents/agent-job-store.js";
import { type JobHistory } from "../../history/job-history.js";
import { type SiteOverview } from "../../history/site-overview.js";
import { type Workers } from "../../history/workers.js";
import { type QueueState } from "../../jobs/job-kind.js";
import { type EnforcedLimit } from "../../processes/run-bounds.js";
import { dayMs } from "../../shared/day-ms.js";
import { assertUnlimited, maySee } from "../protocol/caller.js";
import { StatisticsQuery, UsageQuery } from "../protocol/operator-requests.js";
import { routesOf } from "../protocol/route.js";
import { type JobStarters } from "./job-starters.js";

/** What operators see of the service itself. */
export interface ServiceFacts {
    version: string;
    database: "embedded" | "postgresql";
    storage: "folder" | "bucket";
    /** The numeric options. */
    limits: Readonly<Record<string, number>>;
    startedAt: Date;
}

interface ServiceRoutesOptions {
    facts: ServiceFacts;
    workers: Workers;
    overview: SiteOverview;
    history: Pick<JobHistory, "statistics">;
    answers: Pick<JobStarters, "namesOf">;
    clock: () => number;
    projects: ReadonlyMap<string, AgentProject>;
    store: { queue(): Promise<QueueState> };
    agentJobs: { queue(): Promise<QueueState> };
    /** What does not work now. */
    findProblems: () => Promise<string[]>;
    /** The disk of the data folder; undefined if it is unknown. */
    measureDisk: () => Promise<{ freeBytes: number; totalBytes: number } | undefined>;
    /** How the limits of builds are enforced. */
    buildLimits: () => readonly EnforcedLimit[];
}

const route = routesOf<ServiceRoutesOptions>("Service");

const listWorkers = route({
    at: "GET /v1/workers",
    operation: "workers",
    scopes: ["read"],
    id: "listWorkers",
    summary: "List the processes that run jobs",
    answer: [200, "Workers", "The workers of the last 24 hours, the newest first."],
    handle: async ({ caller }, { workers }) => {
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
});

const getUsage = route({
    at: "GET /v1/usage",
    operation: "usage",
    scopes: ["read"],
    id: "getUsage",
    summary: "Get the storage that the bundles of each domain use",
    request: { querystring: UsageQuery },
    answer: [200, "Usage", "The stored bundles of the key's domains."],
    handle: async ({ caller, query: { domain } }, { overview }) => {
        const all = domain === undefined ? await overview.usage() : await overview.usageOf(canonicalDomain(domain));
        const sites = all.filter(({ domain }) => maySee(caller, domain)).sort((one, other) => other.bytes - one.bytes);
        const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);
        return {
            sites,
            bundles: sum(sites.map(({ bundles }) => bundles)),
            bytes: sum(sites.map(({ bytes }) => bytes)),
        };
    },
});

const getStatistics = route({
    at: "GET /v1/statistics",
    operation: "statistics",
    scopes: ["read"],
    id: "getStatistics",
    summary: "Count the exports, failures and pages of each site or each key",
    request: { querystring: StatisticsQuery },
    answer: [200, "Statistics", "The exports that are still kept, the largest counts first."],
    handle: async ({ query, caller }, { history, answers, clock }) => {
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
});

const getService = route({
    at: "GET /v1/service",
    operation: "service",
    scopes: ["read"],
    id: "getService",
    summary: "Get the version, health and limits of the service",
    answer: [200, "ServiceState", "The service, as this process sees it."],
    handle: async ({ caller }, { facts, projects, store, agentJobs, findProblems, measureDisk, buildLimits }) => {
        assertUnlimited(caller);
        const [problems, disk, exports, prompts] = await Promise.all([
            findProblems(),
            measureDisk(),
            store.queue(),
            agentJobs.queue(),
        ]);
        return {
            ...facts,
            limits: { ...facts.limits },
            buildLimits: [...buildLimits()],
            startedAt: facts.startedAt.toISOString(),
            problems,
            disk: disk ?? null,
            queue: { exports: exports.queued, running: exports.running, prompts: prompts.queued },
            projects: [...projects].map(([id, { repository, ref = null }]) => ({ id, repository, ref })),
        };
    },
});

export const serviceRoutes = [listWorkers, getUsage, getStatistics, getService];
