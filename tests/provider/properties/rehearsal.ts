import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AmbiguousStartError, type FetchLike } from "@pulumi-static-export/sdk";
import {
    defaultTimeoutSeconds,
    exportOf,
    type BundleInputs,
} from "../../../provider/src/static-export-bundle/model.js";
import { FakeClock } from "../support/fake-clock.js";
import { FakePlatform, type Operation } from "../support/fake-platform.js";
import type { Fault } from "../support/fake-server.js";
import { FakeMachine } from "../support/fake-machine.js";
import { adminApiKey } from "../support/provider-fixture.js";
import { Change, warnsOfTwoJobs } from "./change.js";
import { EngineModel } from "./engine-model.js";
import { Killed, ProviderProcess } from "./provider-process.js";
import type { FaultPlan, Schedule, Step } from "./schedule.js";

/** Beyond its timeout an operation may only end what it has begun: a start, a last poll, and the bundle. */
const slackMs = 120_000;
/** A refresh has no timeout of its own: five attempts, and the longest pauses that a server may ask for. */
const refreshMs = 5 * 170_000;

const clockToleranceMs = 5_000;

const calm: Step = {
    waitMs: 3 * 3600_000,
    edit: {},
    action: "up",
    faults: { start: [], get: [], bundle: [] },
    job: { ms: 30_000, outcome: "completed" },
    linkTtlMs: 3600_000,
    amnesia: false,
    kill: null,
};

let processes = 0;

/** Lives through a schedule, and throws at the first thing that must never happen. */
export class Rehearsal {
    readonly #schedule: Schedule;
    readonly #workFolder: string;
    readonly #clock = new FakeClock();
    readonly #platform = new FakePlatform(this.#clock);
    readonly #engine = new EngineModel();
    readonly #machine = new FakeMachine();
    #program: BundleInputs = { domain: "docs.example.com" };
    #change = new Change(this.#program);
    /** The program that each job was started for. */
    readonly #exported = new Map<string, BundleInputs>();
    /** Jobs that the program named: they may hold anything. */
    readonly #named = new Set<string>();
    /** Whether any run may have left a start open. */
    #isAnythingOpen = false;
    #lines: string[] = [];
    #lastStatus = 0;
    #journalFolder: string | undefined;

    constructor(schedule: Schedule, workFolder: string) {
        this.#schedule = schedule;
        this.#workFolder = workFolder;
        this.#platform.skewMs = schedule.skewMs;
    }

    async run(): Promise<void> {
        try {
            for (const step of this.#schedule.steps) {
                await this.#take(step);
            }
            await this.#converge();
        } finally {
            if (this.#journalFolder !== undefined) {
                rmSync(this.#journalFolder, { recursive: true, force: true });
            }
        }
    }

    /** When everything works again, two runs are enough. */
    async #converge(): Promise<void> {
        const { jobId } = this.#program;
        const isGone = jobId !== undefined && this.#platform.jobs.get(jobId)?.outcome !== "completed";
        const edit = { timeoutSeconds: null, ...(isGone ? { jobId: null } : {}) };
        const failure = (await this.#take({ ...calm, edit })) && (await this.#take({ ...calm, waitMs: 0 }));
        assert.equal(failure, undefined, "two runs without any fault are not enough");
        const { outputs } = this.#engine.resource!;
        assert.ok(outputs.jobId && outputs.bundleUrl, "there is no bundle");
        assert.equal(outputs.pendingJobId, undefined);
        if (!this.#named.has(outputs.jobId)) {
            const exported = exportOf(this.#exported.get(outputs.jobId)!);
            assert.deepEqual(exported, exportOf(this.#program), "the bundle is one of other inputs");
        }
    }

    /** One command, and what has to hold after it. Resolves to the error it ended with. */
    async #take(step: Step): Promise<Error | undefined> {
        this.#prepare(step);
        const process = this.#startProcess(step);
        const startedMs = this.#clock.now();
        const requests = this.#platform.requests.length;
        this.#lines = [];
        const failure = await this.#command(step, process);
        process.end();
        this.#change.assertStartedOnce(this.#program, this.#lines);
        const hasWarned = this.#lines.some((line) => warnsOfTwoJobs.test(line));
        assert.ok(this.#isAnythingOpen || !hasWarned, "a warning without a reason");
        if (failure instanceof Killed) {
            this.#change.noteKill({ wasStarting: process.wasKilledDuringStart });
        } else if (failure) {
            assert.match(failure.message, /docs\.example\.(com|org)/);
        }
        this.#isAnythingOpen ||= failure instanceof Killed || process.failure?.cause instanceof AmbiguousStartError;
        this.#change.noteFailure(process.failure?.message ?? "");
        if (step.action === "up" && !failure) {
            if (this.#program.jobId !== undefined) {
                this.#change.noteAdoption();
            }
            await this.#assertRest();
        }
        const elapsedMs = this.#clock.now() - startedMs;
        const timeoutMs = (this.#program.timeoutSeconds ?? defaultTimeoutSeconds) * 1000;
        const mostMs = step.action === "refresh" ? refreshMs : timeoutMs + slackMs;
        assert.ok(elapsedMs <= mostMs, `it took ${elapsedMs} ms, with a timeout of ${timeoutMs} ms`);
        if (step.action === "preview" || step.action === "destroy") {
            assert.equal(this.#platform.requests.length, requests, `${step.action} made requests`);
        }
        this.#assertNoSecret(failure);
        return failure;
    }

    async #command({ action }: Step, { call }: ProviderProcess): Promise<Error | undefined> {
        const existed = this.#engine.resource !== undefined;
        try {
            await (action === "up" || action === "preview"
                ? this.#engine[action](this.#program, call)
                : this.#engine[action](call));
        } catch (error) {
            if (error instanceof assert.AssertionError || !(error instanceof Error)) {
                throw error;
            }
            return error;
        }
        if (existed && this.#engine.resource === undefined) {
            assert.ok(action === "destroy" || this.#lastStatus === 404, `${this.#lastStatus} was taken for gone`);
            this.#change = new Change(this.#program);
        }
        return undefined;
    }

    #prepare({ waitMs, edit, action, faults, job, linkTtlMs, amnesia }: Step): void {
        this.#clock.pass(waitMs);
        const program = Object.entries({ ...this.#program, ...edit }).filter(([, value]) => value !== null);
        this.#program = Object.fromEntries(program) as unknown as BundleInputs;
        if (this.#program.jobId !== undefined) {
            this.#named.add(this.#program.jobId);
        }
        if (action === "up" && !this.#change.isOf(this.#program)) {
            this.#change = new Change(this.#program);
        }
        if (amnesia) {
            this.#platform.jobs.clear();
        }
        this.#platform.jobMs = job.ms;
        this.#platform.nextOutcome = job.outcome;
        this.#platform.linkTtlMs = linkTtlMs;
        for (const [operation, plan] of Object.entries(faults)) {
            this.#platform.faults[operation as Operation] = unroll(plan);
        }
    }

    #startProcess({ kill }: Step): ProviderProcess {
        this.#machine.killAll();
        const journalFolder = join(this.#workFolder, String(++processes));
        if (this.#journalFolder !== undefined && existsSync(this.#journalFolder)) {
            renameSync(this.#journalFolder, journalFolder);
        }
        this.#journalFolder = journalFolder;
        return new ProviderProcess({
            journalFolder,
            machine: this.#machine,
            clock: this.#clock,
            fetch: this.#fetch,
            random: this.#schedule.random,
            print: (line) => this.#lines.push(line),
            kill,
        });
    }

    /** The platform, watched: which jobs it started, and of which it said that they are lost. */
    readonly #fetch: FetchLike = async (url, request) => {
        const { jobs, requests } = this.#platform;
        const jobsBefore = jobs.size;
        const answer = this.#platform.fetch(url, request);
        if (jobs.size > jobsBefore) {
            const jobId = [...jobs.keys()].at(-1)!;
            this.#exported.set(jobId, this.#program);
            this.#change.noteStart(jobId, this.#clock.now());
        }
        const { jobId = "", operation } = requests.at(-1)!;
        const { status } = await answer;
        this.#lastStatus = status;
        const job = jobs.get(jobId);
        const hasFailed =
            operation === "get" && job?.outcome !== "completed" && this.#clock.now() >= (job?.endsMs ?? 0);
        if (status === 404 || (status === 200 && hasFailed)) {
            this.#change.noteLoss(jobId);
        }
        return answer;
    };

    /** After a run that succeeded the next one has nothing to do for as long as the link lives. */
    async #assertRest(): Promise<void> {
        const { renewLink, renewBeforeSeconds = 0 } = this.#program;
        const { expiresAt, linkLifetimeSeconds = Infinity } = this.#engine.resource!.outputs;
        // A notice that is longer than links live counts as half of their life.
        const noticeSeconds = renewBeforeSeconds >= linkLifetimeSeconds ? linkLifetimeSeconds / 2 : renewBeforeSeconds;
        const expiresInMs =
            renewLink === false || expiresAt === undefined
                ? Infinity
                : Date.parse(expiresAt) - noticeSeconds * 1000 - this.#clock.now() - this.#schedule.skewMs;
        const requests = this.#platform.requests.length;
        const { call } = this.#startProcess(calm);
        const plan = await this.#engine.preview(this.#program, call);
        assert.equal(this.#platform.requests.length, requests, "a preview made requests");
        // The platform tells its time in whole seconds only.
        if (Math.abs(expiresInMs) > clockToleranceMs) {
            assert.equal(plan, expiresInMs > 0 ? "same" : "update", `the link expires in ${expiresInMs} ms`);
        }
    }

    #assertNoSecret(failure: Error | undefined): void {
        const { bundleUrl: _secret, ...outputs } = this.#engine.resource?.outputs ?? {};
        const { message = "", reasons = [] } = (failure ?? {}) as { message?: string; reasons?: string[] };
        const texts = [...this.#lines, message, ...reasons, JSON.stringify(outputs), ...this.#journalTexts()];
        for (const text of texts) {
            assert.ok(!text.includes(adminApiKey) && !text.includes("signature="), `a secret stands in: ${text}`);
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
