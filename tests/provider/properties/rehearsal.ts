import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FetchLike } from "@pulumi-static-export/sdk";
import type { JobRuntime } from "../../../provider/src/jobs/runtime.js";
import { FakeClock } from "../../fake-clock.js";
import { FakeMachine } from "../support/fake-machine.js";
import type { FakeServer, Fault } from "../support/fake-server.js";
import { Change, type ChangeRules, leavesStartOpen, warnsOfTwoJobs } from "./change.js";
import type { Lifecycle } from "../../../provider/src/moving/adopt-plugin-state.js";
import { EngineModel } from "./engine-model.js";
import { PluginLifecycle } from "./plugin-lifecycle.js";
import { Killed, ProviderProcess } from "./provider-process.js";
import type { FaultPlan, Schedule, Step } from "./schedule.js";

/** After its timeout, an operation may only finish its current steps: a start, a last poll, and the bundle. */
const slackMs = 120_000;
/** A refresh has no timeout. This time allows five attempts, with the longest pauses that a server may request. */
const refreshMs = 5 * 170_000;
const defaultTimeoutSeconds = 3600;

let processes = 0;

/** The inputs that all resources with jobs have in common. */
interface AnyInputs {
    jobId?: string;
    timeoutSeconds?: number;
}

interface RehearsalOptions<Inputs, Server> {
    workFolder: string;
    type: ConstructorParameters<typeof PluginLifecycle>[0];
    program: Inputs;
    createServer: (clock: FakeClock) => Server;
    rules: Omit<ChangeRules, "honoursKeys">;
    /** The subject that every error names. */
    subject: RegExp;
}

/** Runs a schedule, and throws at the first violation of an invariant. */
export abstract class Rehearsal<
    Inputs extends AnyInputs,
    State extends Inputs,
    Operation extends string,
    Platform,
    Server extends FakeServer<Operation>,
> {
    protected readonly clock = new FakeClock();
    protected readonly server: Server;
    protected readonly engine = new EngineModel<Inputs, State>();
    protected readonly schedule: Schedule<Step<Inputs, Operation, Platform>>;
    protected program: Inputs;
    /** The program that started each job. */
    protected readonly startedFor = new Map<string, Inputs>();
    /** Jobs whose id the program set; these jobs may contain anything. */
    protected readonly named = new Set<string>();
    /**
     * Maps each start of a killed run to Pulumi's state, which does not contain the started job; undefined if the
     * resource was removed.
     */
    protected readonly stateBefore = new Map<string, State | undefined>();
    readonly #options: RehearsalOptions<Inputs, Server>;
    readonly #rules: ChangeRules;
    readonly #machine = new FakeMachine();
    #change: Change;
    /** Whether a run may have left a start with an unknown outcome. */
    #isAnythingOpen = false;
    #lines: string[] = [];
    #startedInThisRun: string[] = [];
    #lastStatus = 0;
    #journalFolder: string | undefined;

    constructor(schedule: Schedule<Step<Inputs, Operation, Platform>>, options: RehearsalOptions<Inputs, Server>) {
        this.schedule = schedule;
        this.#options = options;
        this.#rules = { ...options.rules, honoursKeys: schedule.honoursKeys };
        this.server = options.createServer(this.clock);
        this.server.skewMs = schedule.skewMs;
        this.server.honoursKeys = schedule.honoursKeys;
        this.program = options.program;
        this.#change = new Change(this.program, this.#rules);
    }

    protected abstract createLifecycle(runtime: JobRuntime): Lifecycle<Inputs, State>;
    /** The platform's settings when everything works. */
    protected abstract readonly calmPlatform: Platform;
    protected abstract configure(platform: Platform): void;
    /** Returns whether a wanted job has failed. */
    protected abstract hasFailed(jobId: string): boolean;
    /** Identifies one start. A job that accepts messages may have more than one start. */
    protected abstract effectOf(jobId: string): string;
    /** Returns how many jobs or messages one run of a program may start or send. */
    protected abstract mostStartsOf(program: Inputs): number;
    /** Returns the edit after which a run can succeed. */
    protected abstract calmEdit(): Step<Inputs, Operation, Platform>["edit"];
    /** Checks the state at the end. */
    protected abstract assertEnd(outputs: State): void;
    /** Returns the result of a preview after a successful run; undefined if the result depends on milliseconds. */
    protected abstract planAtRest(): "same" | "update" | undefined;
    protected abstract secretsIn(text: string): boolean;
    /** Returns the plain-text part of the state. */
    protected abstract shownOf(outputs: State): object;

    async run(): Promise<void> {
        try {
            for (const step of this.schedule.steps) {
                await this.#take(step);
            }
            await this.#converge();
        } finally {
            this.#removeJournal();
        }
    }

    /** Asserts that two runs without faults are sufficient to reach the desired state. */
    async #converge(): Promise<void> {
        const calm = { ...this.#calmStep(), waitMs: 3 * 3600_000, edit: this.calmEdit() };
        const failure = (await this.#take(calm)) && (await this.#take(this.#calmStep()));
        assert.equal(failure, undefined, "two runs without any fault are not enough");
        this.assertEnd(this.engine.resource!.outputs);
    }

    #calmStep(): Step<Inputs, Operation, Platform> {
        const faults = Object.fromEntries(Object.keys(this.server.faults).map((operation) => [operation, []]));
        return {
            waitMs: 0,
            edit: {},
            action: "up",
            faults: faults as unknown as Record<Operation, FaultPlan>,
            platform: this.calmPlatform,
            amnesia: false,
            kill: null,
            lost: "nothing",
        };
    }

    /** Runs one command and the checks after it. Resolves to the command's error. */
    async #take(step: Step<Inputs, Operation, Platform>): Promise<Error | undefined> {
        this.#prepare(step);
        const process = this.#startProcess(step);
        const startedMs = this.clock.now();
        const requests = this.server.requests.length;
        this.#lines = [];
        this.#startedInThisRun = [];
        const failure = await this.#command(step, process);
        process.end();
        this.#change.assertStartedOnce(this.mostStartsOf(this.program), this.#lines);
        const hasWarned = this.#lines.some((line) => warnsOfTwoJobs.test(line));
        assert.ok(this.#isAnythingOpen || !hasWarned, "a warning without a reason");
        if (failure instanceof Killed) {
            for (const effect of this.#startedInThisRun) {
                this.stateBefore.set(effect, this.engine.resource?.outputs);
            }
            this.#change.noteKill({
                wasStarting: process.wasKilledDuringStart,
                atMs: startedMs,
                sentTo: process.startSentTo,
            });
        } else if (failure) {
            assert.match(failure.message, this.#options.subject);
        }
        this.#isAnythingOpen ||= failure instanceof Killed || leavesStartOpen.test(process.failure?.message ?? "");
        this.#change.noteFailure(process.failure?.message ?? "", startedMs, process.startSentTo);
        if (step.action === "up" && !failure) {
            if (this.program.jobId !== undefined) {
                this.#change.noteAdoption();
            }
            await this.#assertRest();
        }
        const elapsedMs = this.clock.now() - startedMs;
        const timeoutMs = (this.program.timeoutSeconds ?? defaultTimeoutSeconds) * 1000;
        const mostMs = step.action === "refresh" ? refreshMs : timeoutMs + slackMs;
        assert.ok(elapsedMs <= mostMs, `it took ${elapsedMs} ms, with a timeout of ${timeoutMs} ms`);
        if (step.action === "preview" || step.action === "destroy") {
            assert.equal(this.server.requests.length, requests, `${step.action} made requests`);
        }
        this.#assertNoSecret(failure);
        return failure;
    }

    async #command(
        { action }: Step<Inputs, Operation, Platform>,
        { call }: ProviderProcess<Inputs, State>,
    ): Promise<Error | undefined> {
        const existed = this.engine.resource !== undefined;
        try {
            await (action === "up" || action === "preview"
                ? this.engine[action](this.program, call)
                : this.engine[action](call));
        } catch (error) {
            if (error instanceof assert.AssertionError || !(error instanceof Error)) {
                throw error;
            }
            return error;
        }
        if (existed && this.engine.resource === undefined) {
            assert.ok(action === "destroy" || this.#lastStatus === 404, `${this.#lastStatus} was taken for gone`);
            this.#change = new Change(this.program, this.#rules);
            for (const jobId of this.startedFor.keys()) {
                this.stateBefore.set(this.effectOf(jobId), undefined);
            }
        }
        return undefined;
    }

    #prepare({ waitMs, edit, action, faults, platform, amnesia, lost }: Step<Inputs, Operation, Platform>): void {
        this.clock.pass(waitMs);
        if (lost !== "nothing") {
            this.#loseMachine(lost === "disk and checkpoint");
        }
        const program = Object.entries({ ...this.program, ...edit }).filter(([, value]) => value !== null);
        this.program = Object.fromEntries(program) as unknown as Inputs;
        if (this.program.jobId !== undefined) {
            this.named.add(this.program.jobId);
        }
        if (action === "up" && !this.#change.isOf(this.program)) {
            this.#change = new Change(this.program, this.#rules);
        }
        if (amnesia) {
            for (const jobId of this.server.jobs.keys()) {
                this.#change.noteLoss(this.effectOf(jobId));
            }
            this.server.forgetAll();
        }
        this.configure(platform);
        for (const [operation, plan] of Object.entries<FaultPlan>(faults)) {
            this.server.faults[operation as Operation] = unroll(plan);
        }
    }

    /**
     * Discards the machine. Only the platform may still have a record of the start, if it honours keys and the next
     * machine derives the same key.
     */
    #loseMachine(isCheckpointLost: boolean): void {
        this.#machine.killAll();
        this.#removeJournal();
        const { honoursKeys, isInPipeline } = this.schedule;
        this.#change.noteLostMachine({ isCheckpointLost, derivesKeys: honoursKeys && isInPipeline });
        if (isCheckpointLost) {
            this.engine.forget();
        }
    }

    #removeJournal(): void {
        if (this.#journalFolder !== undefined) {
            rmSync(this.#journalFolder, { recursive: true, force: true });
        }
    }

    #startProcess({ kill }: { kill: Step<Inputs, Operation, Platform>["kill"] }): ProviderProcess<Inputs, State> {
        this.#machine.killAll();
        // Each process has its own folder, so that late work of a dead process does not reach the journal.
        const journalFolder = join(this.#options.workFolder, String(++processes));
        if (this.#journalFolder !== undefined && existsSync(this.#journalFolder)) {
            renameSync(this.#journalFolder, journalFolder);
        }
        this.#journalFolder = journalFolder;
        return new ProviderProcess({
            createLifecycle: (runtime) => this.#openLifecycle(runtime),
            journalFolder,
            machine: this.#machine,
            clock: this.clock,
            fetch: this.#fetch,
            random: this.schedule.random,
            log: (line) => this.#lines.push(line),
            kill,
            pipelineRun: this.schedule.isInPipeline ? "GITHUB_RUN_ID=1" : undefined,
        });
    }

    #openLifecycle(runtime: JobRuntime): Lifecycle<Inputs, State> {
        const { way } = this.schedule;
        const { type } = this.#options;
        const createLifecycle = (each: JobRuntime) => this.createLifecycle(each);
        return way === "plugin" ? new PluginLifecycle(type, runtime, createLifecycle) : createLifecycle(runtime);
    }

    /** Records which jobs the platform has started, and which it has reported as lost. */
    readonly #fetch: FetchLike = async (url, request) => {
        const { effects, requests } = this.server;
        const before = effects.length;
        const answer = this.server.fetch(url, request);
        const started = effects.length > before ? effects.at(-1) : undefined;
        if (started !== undefined) {
            this.startedFor.set(started, this.program);
            this.#startedInThisRun.push(this.effectOf(started));
            const { outputs } = this.engine.resource ?? {};
            this.#change.noteStart(this.effectOf(started), this.clock.now(), outputs);
        }
        const { jobId = "" } = requests.at(-1)!;
        const { status } = await answer;
        this.#lastStatus = status;
        if (status === 404 || (status === 200 && request.method === "GET" && this.hasFailed(jobId))) {
            this.#change.noteLoss(this.effectOf(jobId));
        }
        if (status === 404) {
            this.#change.noteGone(jobId);
        }
        return answer;
    };

    /** Asserts that the next run has nothing to do after a successful run, unless something expires. */
    async #assertRest(): Promise<void> {
        const expected = this.planAtRest();
        const requests = this.server.requests.length;
        const { call } = this.#startProcess({ kill: null });
        const plan = await this.engine.preview(this.program, call);
        assert.equal(this.server.requests.length, requests, "a preview made requests");
        assert.equal(plan, expected ?? plan);
    }

    #assertNoSecret(failure: Error | undefined): void {
        const { outputs } = this.engine.resource ?? {};
        const { message = "", reasons = [] } = (failure ?? {}) as { message?: string; reasons?: string[] };
        const shown = JSON.stringify(outputs === undefined ? {} : this.shownOf(outputs));
        for (const text of [...this.#lines, message, ...reasons, shown, ...this.#journalTexts()]) {
            assert.ok(!this.secretsIn(text), `a secret stands in: ${text}`);
        }
    }

    #journalTexts(): string[] {
        const folder = this.#journalFolder!;
        const names = existsSync(folder) ? readdirSync(folder) : [];
        return names.map((name) => name + readFileSync(join(folder, name), "utf8"));
    }
}

function unroll(plan: FaultPlan): (Fault | undefined)[] {
    return plan.flatMap(([fault, times]) => Array<Fault | undefined>(times).fill(fault));
}
