import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ResourceIdentity } from "@pulumi-static-export/contract";
import { AdminClient, type FetchLike } from "@pulumi-static-export/sdk";
import { createGate } from "@pulumi-static-export/sdk/internal";
import type { JobRuntime } from "../../../provider/src/jobs/runtime.js";
import { SavedJobs } from "../../../provider/src/jobs/saved-jobs.js";
import { Journal } from "../../../provider/src/engine/journal/journal.js";
import type { SavedFailure } from "../../../provider/src/engine/saved-failure.js";
import type { KeySource } from "../../../provider/src/engine/admin-api-settings.js";
import { FakeClock } from "../../fake-clock.js";
import { FakeMachine } from "./fake-machine.js";

export const adminApiKey = "test_0123456789abcdef";

/** The lifecycle of a resource with a fake clock, a server in memory, and a real journal in a separate folder. */
export class ProviderFixture<Lifecycle, Server extends { fetch: FetchLike }> {
    static readonly startsAtOnce = 2;
    readonly clock = new FakeClock();
    readonly server: Server;
    /** The source of the key, which messages about a refused key name. */
    keySource: KeySource = "configuration";
    readonly lines: string[] = [];
    /** Ends the runs of every process. */
    readonly interruption = new AbortController();
    journalFolder = mkdtempSync(join(tmpdir(), "static-export-journal-"));
    /** The pipeline run of all processes that start from now on. */
    pipelineRun: string | undefined;
    /** The resource in Pulumi's requests; undefined if it is unknown. */
    identity: ResourceIdentity | undefined;
    lifecycle: Lifecycle;
    readonly #createLifecycle: (runtime: JobRuntime) => Lifecycle;
    readonly #machine = new FakeMachine();
    #handedOver: (() => void)[] = [];

    constructor(createServer: (clock: FakeClock) => Server, createLifecycle: (runtime: JobRuntime) => Lifecycle) {
        this.server = createServer(this.clock);
        this.#createLifecycle = createLifecycle;
        this.lifecycle = this.#newProcess();
    }

    dispose(): void {
        rmSync(this.journalFolder, { recursive: true, force: true });
    }

    /** Kills the provider, and starts a new process with the same disk. */
    restart(): void {
        this.#machine.killAll();
        this.#handedOver = [];
        this.lifecycle = this.#newProcess();
    }

    /** Ends `pulumi up` normally, and starts the process of the next `pulumi up`. */
    nextRun(): void {
        this.#handedOver.forEach((forget) => forget());
        this.restart();
    }

    /** Discards a machine with its disk and its processes, and starts the first process of the next machine. */
    freshMachine(): void {
        this.dispose();
        this.journalFolder = mkdtempSync(join(tmpdir(), "static-export-journal-"));
        this.restart();
    }

    /** Starts a process of a user without a home folder. */
    withoutFolder(): Lifecycle {
        return this.#newProcess({ hasFolder: false });
    }

    /** Returns the names and contents of the journal's files. */
    journalText(): string {
        const names = readdirSync(this.journalFolder);
        return names.map((name) => name + readFileSync(join(this.journalFolder, name), "utf8")).join("\n");
    }

    #newProcess({ hasFolder = true } = {}): Lifecycle {
        const { clock, server, lines, pipelineRun } = this;
        const client = new AdminClient({
            baseUrl: "https://api.example.com",
            adminApiKey,
            fetch: server.fetch,
            clock,
            random: () => 0.5,
        });
        const journal = new Journal(hasFolder ? this.journalFolder : undefined, {
            report: (problem) => lines.push(problem),
            now: clock.now,
            elapsedMs: clock.now,
            processes: this.#machine.start(),
        });
        return this.#createLifecycle({
            connect: () => ({ client, keySource: this.keySource, pipelineRun }),
            engine: {
                whileAlive: (wait) => wait(),
                finish: (work) => work(),
                whenSaved: (forget) => this.#handedOver.push(forget),
            },
            journal,
            savedJobs: new SavedJobs(),
            startGate: createGate(ProviderFixture.startsAtOnce),
            clock,
            log: (line) => lines.push(line),
            signal: this.interruption.signal,
            identityOf: () => this.identity,
        });
    }
}

/**
 * Returns the state that Pulumi saves after a failure; fails the spec if the call succeeds, or if no state is saved.
 */
export async function savedStateOf<State>(failing: Promise<State>): Promise<{ state: State; message: string }> {
    try {
        await failing;
    } catch (error) {
        const { id, properties, message } = error as SavedFailure;
        if (!id) {
            throw new Error(`nothing was saved: ${message}`, { cause: error });
        }
        return { state: properties as State, message };
    }
    throw new Error("it did not fail");
}
