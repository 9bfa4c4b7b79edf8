import assert from "node:assert/strict";
import { AdminClient, type Clock, type FetchLike } from "@pulumi-static-export/sdk";
import { createGate } from "@pulumi-static-export/sdk/internal";
import type { JobRuntime } from "../../../provider/src/jobs/runtime.js";
import { SavedJobs } from "../../../provider/src/jobs/saved-jobs.js";
import { Journal } from "../../../provider/src/engine/journal/journal.js";
import type { FakeClock } from "../../fake-clock.js";
import type { FakeMachine } from "../support/fake-machine.js";
import { adminApiKey } from "../support/provider-fixture.js";
import type { Lifecycle } from "../../../provider/src/moving/adopt-plugin-state.js";
import type { Call } from "./engine-model.js";
import type { Kill } from "./schedule.js";

/** The error of a provider's calls when its process is killed. */
export class Killed extends Error {}

interface ProcessOptions<Inputs, State> {
    createLifecycle: (runtime: JobRuntime) => Lifecycle<Inputs, State>;
    journalFolder: string;
    machine: FakeMachine;
    clock: FakeClock;
    fetch: FetchLike;
    random: number;
    log: (line: string) => void;
    kill: Kill | null;
    /** The pipeline run; undefined outside of pipelines. */
    pipelineRun?: string | undefined;
    /** Whether processes of other hosts, which rely on heartbeats, use the folder. */
    hasOtherHosts?: boolean;
}

const identity = { project: "docs", stack: "production", type: "static-export:Resource", name: "docs" };
const baseUrl = "https://api.example.com";

/** A process of the provider: each `pulumi up` starts a new process. A killed process sends and receives nothing. */
export class ProviderProcess<Inputs, State> {
    /** Whether the process was killed during a start, so that it is unknown whether there is a job. */
    wasKilledDuringStart = false;
    /** The job that received the last message; undefined if the last start was for a new job. */
    startSentTo: string | undefined;
    /** The provider's error, even if a kill prevented its report. */
    failure: Error | undefined;
    readonly #options: ProcessOptions<Inputs, State>;
    readonly #lifecycle: Lifecycle<Inputs, State>;
    readonly #dead: Promise<never>;
    #die: () => void = () => {};
    #isAlive = true;
    #handedOver: (() => void)[] = [];
    #isStartOpen = false;
    #points = 0;

    constructor(options: ProcessOptions<Inputs, State>) {
        this.#options = options;
        const processes = options.machine.start();
        this.#dead = new Promise((_, reject) => {
            this.#die = () => {
                this.#isAlive = false;
                options.machine.kill(processes);
                heartbeat.stop();
                reject(new Killed());
            };
        });
        this.#dead.catch(() => {});
        const clock = this.#clock();
        // One millisecond of real time is enough, because the in-memory platform responds before any timer fires.
        const client = new AdminClient({
            baseUrl,
            adminApiKey,
            fetch: this.#fetch,
            clock,
            random: () => options.random,
            requestTimeoutMs: 1,
        });
        const journal = new Journal(options.journalFolder, {
            report: (problem) => assert.fail(problem),
            now: () => clock.now(),
            elapsedMs: () => clock.now(),
            processes,
        });
        const heartbeat = options.hasOtherHosts ? options.clock.everySecond(() => journal.beat()) : { stop: () => {} };
        this.#lifecycle = options.createLifecycle({
            connect: () => ({ client, pipelineRun: options.pipelineRun }),
            identityOf: () => identity,
            engine: {
                whileAlive: (wait) => wait(),
                finish: (work) => work(),
                whenSaved: (forget) => this.#handedOver.push(forget),
            },
            journal,
            savedJobs: new SavedJobs(),
            startGate: createGate(1),
            clock,
            log: (line) => this.#isAlive && options.log(line),
            signal: new AbortController().signal,
        });
    }

    /** Ends the process as Pulumi does after a normal run, when all results have been saved. */
    end(): void {
        if (this.#isAlive) {
            this.#handedOver.forEach((forget) => forget());
        }
    }

    readonly call: Call<Inputs, State> = async (method) => {
        try {
            return await Promise.race([this.#dead, method(this.#lifecycle)]);
        } catch (error) {
            this.failure = error as Error;
            throw error;
        } finally {
            if (this.#options.kill === "before-save" && this.#points > 0) {
                this.#die();
                await this.#dead;
            }
        }
    };

    readonly #fetch: FetchLike = async (url, request) => {
        const isStart = request.method === "POST" && !url.endsWith("/bundle");
        // After a start whose response was lost, the client checks whether the server honours its key.
        this.#isStartOpen = isStart || (this.#isStartOpen && /\/jobs\/[0-9a-f-]{36}$/.test(url));
        if (isStart) {
            this.startSentTo = /\/job\/([^/]+)\/message$/.exec(url)?.[1];
        }
        await this.#liveOn();
        const response = await this.#options.fetch(url, request);
        await this.#liveOn();
        this.#isStartOpen &&= response.status !== 429;
        return response;
    };

    #clock(): Clock {
        const { clock } = this.#options;
        return {
            now: clock.now,
            sleep: async (ms, signal) => {
                await this.#liveOn();
                return clock.sleep(ms, signal);
            },
        };
    }

    /** Marks a point at which the process may be killed; a dead process never continues after this point. */
    async #liveOn(): Promise<void> {
        if (this.#points++ === this.#options.kill) {
            this.wasKilledDuringStart = this.#isStartOpen;
            this.#die();
        }
        if (!this.#isAlive) {
            await new Promise(() => {});
        }
    }
}
