import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { AgentJobArchivedError, AgentJobStore } from "../../../../service/src/agents/agent-job-store.js";
import { type ServiceDatabase } from "../../../../service/src/database/database.js";
import { GoneSites } from "../../../../service/src/exports/gone-sites.js";
import { SiteJobStore } from "../../../../service/src/exports/site-job-store.js";
import { type Shared } from "./parallel-workers.js";

const domains = ["a.example.com", "b.example.com", "c.example.com", "d.example.com"];

/** A client of the API: starts, cancels and reads jobs, and applies the retention. */
export class ParallelClient {
    readonly #shared: Shared;
    readonly #store: SiteJobStore;
    readonly #agents: AgentJobStore;
    readonly #gone: GoneSites;
    /** The jobs that this client may know. */
    readonly #jobs: string[];
    readonly #agentJobs: string[];

    constructor(database: ServiceDatabase, shared: Shared, known: { jobs: string[]; agentJobs: string[] }) {
        this.#shared = shared;
        this.#store = new SiteJobStore(database, Date.now);
        this.#agents = new AgentJobStore(database, Date.now);
        [this.#jobs, this.#agentJobs] = [known.jobs, known.agentJobs];
        const cancel = (jobId: string) => this.#cancel(jobId);
        const store = { cancel, domains: () => this.#store.domains() };
        this.#gone = new GoneSites({ database, store, sites: new Map(), caches: undefined, clock: Date.now });
    }

    async act(): Promise<void> {
        const { random } = this.#shared;
        const chance = random();
        const jobId = this.#jobs[Math.floor(this.#jobs.length * (1 - random() ** 3))] ?? "";
        const id = this.#agentJobs[Math.floor(this.#agentJobs.length * (1 - random() ** 3))] ?? "";
        if (chance < 0.25 || jobId === "" || id === "") {
            await (random() < 0.6 ? this.#start() : this.#startAgent());
        } else if (chance < 0.32) {
            // The claim of the new job meets its cancellation.
            const started = await this.#start();
            await delay(random() * 6);
            await this.#cancel(started);
        } else if (chance < 0.5) {
            await this.#cancel(jobId);
        } else if (chance < 0.65) {
            await this.readJob(jobId);
        } else if (chance < 0.75) {
            const chosen = (random() < 0.5 ? this.#findWaiting() : undefined) ?? id;
            await this.#ofAgent("archive", chosen, () => this.#agents.archive(chosen));
        } else if (chance < 0.8) {
            await this.#ofAgent("message", id, () => this.#agents.addMessage(id, "Two."));
        } else if (chance < 0.9) {
            await this.readAgentJob(id);
        } else if (chance < 0.93) {
            await this.#purge(domains[Math.floor(random() * domains.length)]!);
        } else if (chance < 0.96) {
            const limits = { keepJobs: 3, unusedBefore: 0, linkedSince: Date.now() };
            await this.#removing(() => this.#store.removeUnused(limits, () => Promise.resolve()));
        }
        await delay(random() * 5);
    }

    readJob(jobId: string): Promise<unknown> {
        return this.#shared.history.record(
            "read",
            () => this.#store.get(jobId),
            (job) => ({ object: jobId, result: job === undefined ? null : [job.status, job.isCancelled] }),
        );
    }

    readAgentJob(id: string): Promise<unknown> {
        return this.#shared.history.record(
            "read",
            () => this.#agents.get("docs", id),
            (job) => ({ object: id, result: [job?.status, job?.prLink] }),
        );
    }

    async #start(): Promise<string> {
        const { history, random } = this.#shared;
        const domain = domains[Math.floor(random() * domains.length)]!;
        // Different versions, also from those of a killed process: equal exports would end with each other's runs.
        const version = randomUUID();
        const { jobId } = await history.record(
            "create",
            () => this.#store.create({ domain, version }),
            (job) => ({ object: job.jobId, result: null }),
        );
        this.#jobs.push(jobId);
        return jobId;
    }

    async #startAgent(): Promise<void> {
        const { id } = await this.#shared.history.record(
            "create",
            () => this.#agents.create("docs", { repository: "https://git.example.com/acme/docs" }, "One."),
            (job) => ({ object: job.id, result: null }),
        );
        this.#agentJobs.push(id);
    }

    #cancel(jobId: string) {
        return this.#shared.history.record(
            "cancel",
            () => this.#store.cancel(jobId, "Cancelled by a client."),
            (job) => ({
                object: jobId,
                result: job === undefined ? null : job.wasCancelledBefore ? "again" : job.status,
            }),
            { object: jobId },
        );
    }

    async #ofAgent(name: "archive" | "message", id: string, call: () => Promise<unknown>): Promise<void> {
        await this.#shared.history.record(
            name,
            async () => {
                try {
                    await call();
                    return null;
                } catch (error) {
                    if (error instanceof AgentJobArchivedError) {
                        return "refused";
                    }
                    throw error;
                }
            },
            (result) => ({ object: id, result }),
            { object: id },
        );
    }

    /** An agent's job whose prompt waits for another run. */
    #findWaiting(): string | undefined {
        const { history } = this.#shared;
        return this.#agentJobs.find((id) => ["putBack", "take"].includes(history.objects.get(id)?.at(-1)?.name ?? ""));
    }

    async #purge(domain: string): Promise<void> {
        await this.#removing(() => this.#gone.purge(domain));
    }

    /** The answer does not say which jobs were removed. */
    async #removing(remove: () => Promise<unknown>): Promise<void> {
        const { history } = this.#shared;
        const invokedAt = history.tick();
        await history.record("remove", remove, () => ({ object: undefined, result: null }));
        const window = { name: "remove", result: null, invokedAt, returnedAt: history.tick(), isOptional: true };
        history.everywhere.push(window);
    }
}
