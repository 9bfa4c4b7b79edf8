import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AdminClient, createGate, type FetchLike } from "@pulumi-static-export/sdk";
import { AgentJobLifecycle } from "../../../provider/src/agent-job/lifecycle.js";
import type { AgentJobInputs, AgentJobState } from "../../../provider/src/agent-job/model.js";
import { Journal } from "../../../provider/src/host/journal/journal.js";
import type { SavedFailure } from "../../../provider/src/host/saved-failure.js";
import { FakeClock } from "../support/fake-clock.js";
import { FakeMachine } from "../support/fake-machine.js";

interface FakeJob {
    prompts: string[];
    endsMs: number;
    outcome: string;
    archived: boolean;
}

/** The agent jobs of a platform in memory: a prompt takes 30 seconds. */
export class FakeAgents {
    readonly jobs = new Map<string, FakeJob>();
    /** Every request: `create`, `message aj_1`, `get aj_1`. */
    readonly requests: string[] = [];
    nextOutcome = "completed";
    honoursKeys = true;
    /** How many answers to creations and messages are lost, once they took effect. */
    answersToLose = 0;
    /** For so long after a message the old end still shows. */
    staleMs = 0;
    readonly #keys = new Map<string, string>();

    constructor(private readonly clock: FakeClock) {}

    sent(): string[] {
        return this.requests.filter((request) => !request.startsWith("get"));
    }

    readonly fetch: FetchLike = (url, { method, body, headers }) => {
        const [, id, message] = /\/v2\/agent\/docs\/job(?:\/([^/]+)(\/message)?)?$/.exec(url) ?? [];
        const isAgent = url.includes("/v2/agent/docs/job");
        if (!isAgent) {
            return Promise.resolve(this.#answer(404, { error: "no such job" }));
        }
        if (method === "GET") {
            this.requests.push(`get ${id}`);
            return Promise.resolve(this.#show(id ?? ""));
        }
        this.requests.push(id === undefined ? "create" : `message ${id}`);
        const { prompt } = JSON.parse(body ?? "{}") as { prompt: string };
        const key = this.honoursKeys ? headers["idempotency-key"] : undefined;
        const known = key === undefined ? undefined : this.#keys.get(key);
        const jobId = known ?? (message === undefined ? this.#create(prompt) : this.#message(id ?? "", prompt));
        if (key !== undefined) {
            this.#keys.set(key, jobId);
        }
        if (this.answersToLose > 0) {
            this.answersToLose -= 1;
            return Promise.reject(Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }));
        }
        return Promise.resolve(this.#show(jobId));
    };

    #create(prompt: string): string {
        const id = `aj_${this.jobs.size + 1}`;
        this.jobs.set(id, {
            prompts: [prompt],
            endsMs: this.clock.now() + 30_000,
            outcome: this.nextOutcome,
            archived: false,
        });
        return id;
    }

    #message(id: string, prompt: string): string {
        const job = this.jobs.get(id);
        job?.prompts.push(prompt);
        Object.assign(job ?? {}, { endsMs: this.clock.now() + 30_000, outcome: this.nextOutcome });
        return id;
    }

    #show(id: string) {
        const job = this.jobs.get(id);
        if (job === undefined) {
            return this.#answer(404, { error: "no such job" });
        }
        const startedMs = job.endsMs - 30_000;
        const isStale = job.prompts.length > 1 && this.clock.now() - startedMs < this.staleMs;
        const isDone = this.clock.now() >= job.endsMs || isStale;
        const status = job.archived ? "archived" : isDone ? job.outcome : "active";
        return this.#answer(200, {
            id,
            status,
            source: { repository: "https://git.example.com/docs", ref: null },
            model: "m",
            prLink: status === "completed" ? `https://git.example.com/pulls/${id}/${job.prompts.length}` : null,
            createdAt: "2026-11-20T12:00:00Z",
            archivedAt: job.archived ? "2026-11-20T13:00:00Z" : null,
        });
    }

    #answer(status: number, json: object) {
        const headers = new Map([
            ["content-type", "application/json"],
            ...(this.honoursKeys ? ([["idempotency-key-max-age", "86400"]] as const) : []),
        ]);
        return {
            status,
            headers: { get: (name: string) => headers.get(name.toLowerCase()) ?? null },
            // eslint-disable-next-line @typescript-eslint/require-await
            body: (async function* () {
                yield Buffer.from(JSON.stringify(json));
            })(),
        };
    }
}

/** A lifecycle on a fake clock, against agents in memory, with a real journal in a folder of its own. */
export class AgentFixture {
    readonly clock = new FakeClock();
    readonly agents = new FakeAgents(this.clock);
    readonly lines: string[] = [];
    readonly #folder = mkdtempSync(join(tmpdir(), "static-export-agents-"));
    readonly #machine = new FakeMachine();
    #handedOver: (() => void)[] = [];
    lifecycle = this.#newProcess();

    dispose(): void {
        rmSync(this.#folder, { recursive: true, force: true });
    }

    /** A kill of the provider: a new process, the same disk. */
    restart(): void {
        this.#machine.killAll();
        this.#handedOver = [];
        this.lifecycle = this.#newProcess();
    }

    /** An ordinary end of `pulumi up`, and the process of the next one. */
    nextRun(): void {
        this.#handedOver.forEach((forget) => forget());
        this.restart();
    }

    async create(inputs: AgentJobInputs): Promise<AgentJobState> {
        return (await this.lifecycle.create(inputs)).outs as AgentJobState;
    }

    async update(olds: AgentJobState, news: AgentJobInputs): Promise<AgentJobState> {
        return (await this.lifecycle.update(olds.projectId, olds, news)).outs as AgentJobState;
    }

    journalText(): string {
        const names = readdirSync(this.#folder, { recursive: true, withFileTypes: true });
        const files = names.filter((entry) => entry.isFile());
        return files.map((file) => file.name + readFileSync(join(file.parentPath, file.name), "utf8")).join("\n");
    }

    #newProcess(): AgentJobLifecycle {
        const { clock, agents, lines } = this;
        const client = new AdminClient({
            baseUrl: "https://api.example.com",
            adminApiKey: "test_0123456789abcdef",
            fetch: agents.fetch,
            clock,
            random: () => 0.5,
        });
        return new AgentJobLifecycle({
            connect: () => ({ client }),
            engine: {
                whileAlive: (wait) => wait(),
                finish: (work) => work(),
                whenSaved: (forget) => this.#handedOver.push(forget),
            },
            journal: new Journal(this.#folder, {
                report: (problem) => lines.push(problem),
                now: clock.now,
                elapsedMs: clock.now,
                processes: this.#machine.start(),
            }),
            startGate: createGate(2),
            clock,
            print: (line) => lines.push(line),
        });
    }
}

/** The state that Pulumi saves when this fails. */
export async function savedStateOf(failing: Promise<unknown>): Promise<{ state: AgentJobState; message: string }> {
    try {
        await failing;
    } catch (error) {
        const { id, properties, message } = error as SavedFailure;
        if (!id) {
            throw new Error(`nothing was saved: ${message}`, { cause: error });
        }
        return { state: properties as AgentJobState, message };
    }
    throw new Error("it did not fail");
}
