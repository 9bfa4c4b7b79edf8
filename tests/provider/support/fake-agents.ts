import type { FakeClock } from "../../fake-clock.js";
import { type Answer, type Call, FakeServer } from "./fake-server.js";

export type AgentOperation = "create" | "message" | "get";

export interface FakeAgentJob {
    prompts: string[];
    createdMs: number;
    /** Until this time, reads return the status that preceded the last message. */
    staleUntilMs: number;
    endsMs: number;
    outcome: "completed" | "failed";
    archived: boolean;
}

/** The agent jobs of a platform in memory, for any project: a prompt takes `jobMs`. */
export class FakeAgents extends FakeServer<AgentOperation> {
    readonly jobs = new Map<string, FakeAgentJob>();
    jobMs = 30_000;
    nextOutcome: FakeAgentJob["outcome"] = "completed";
    /** How long the old status is still shown after the next messages. */
    staleMs = 0;
    override honoursKeys = true;
    #created = 0;

    constructor(clock: FakeClock) {
        super(clock, ["create", "message", "get"]);
    }

    /** Returns the requests that the platform received, except reads, such as `create` and `message aj_1`. */
    sent(): string[] {
        return this.requests
            .filter(({ operation }) => operation !== "get")
            .map(({ operation, jobId }) => (jobId === undefined ? operation : `${operation} ${jobId}`));
    }

    protected callOf(method: string, path: string): { operation: AgentOperation; jobId?: string } {
        const [, jobId] = /\/jobs?\/([^/]+)(?:\/message)?$/.exec(path) ?? [];
        const operation = method === "GET" ? "get" : jobId === undefined ? "create" : "message";
        return { operation, ...(jobId === undefined ? {} : { jobId }) };
    }

    protected repeat(jobId: string): Answer {
        return this.#show(jobId);
    }

    protected handle({ operation, jobId, body }: Call<AgentOperation>): Answer & { startedJobId?: string } {
        if (operation === "get") {
            return this.#show(jobId ?? "");
        }
        const id = jobId ?? `aj_${++this.#created}`;
        const known = this.jobs.get(id);
        if (jobId !== undefined && known === undefined) {
            return this.#show(id);
        }
        if (known?.archived) {
            return { status: 409, json: { error: "the job is archived" } };
        }
        const nowMs = this.clock.now();
        const staleUntilMs = known === undefined ? 0 : nowMs + this.staleMs;
        const prompts = [...(known?.prompts ?? []), String(body["prompt"])];
        const endsMs = nowMs + this.jobMs;
        const createdMs = known?.createdMs ?? nowMs;
        this.jobs.set(id, { prompts, createdMs, staleUntilMs, endsMs, outcome: this.nextOutcome, archived: false });
        return { ...this.#show(id), startedJobId: id };
    }

    #show(id: string): Answer {
        const job = this.jobs.get(id);
        if (job === undefined) {
            return { status: 404, json: { error: `no such job ${id}` } };
        }
        const { archived, prompts, outcome } = job;
        const isStale = this.clock.now() < job.staleUntilMs;
        const status = archived
            ? "archived"
            : isStale
              ? "completed"
              : this.clock.now() >= job.endsMs
                ? outcome
                : "active";
        // After a message, the previous link is shown for as long as the previous status.
        const worked = isStale ? prompts.length - 1 : prompts.length;
        return {
            status: 200,
            json: {
                id,
                status,
                source: { repository: "https://git.example.com/docs", ref: null },
                model: "m",
                prLink: status === "completed" ? `https://git.example.com/pulls/${id}/${worked}` : null,
                createdAt: showTime(job.createdMs),
                archivedAt: archived ? showTime(job.createdMs + 3600_000) : null,
            },
        };
    }
}

function showTime(ms: number): string {
    return new Date(ms).toISOString().replace(".000Z", "Z");
}
