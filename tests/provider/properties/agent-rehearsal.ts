import assert from "node:assert/strict";
import { AgentJobLifecycle } from "../../../provider/src/agent-job/lifecycle.js";
import { type AgentJobInputs, type AgentJobState, currentJobOf } from "../../../provider/src/agent-job/model.js";
import type { JobRuntime } from "../../../provider/src/jobs/runtime.js";
import { type AgentOperation, FakeAgents } from "../support/fake-agents.js";
import { adminApiKey } from "../support/provider-fixture.js";
import type { AgentPlatform, AgentSchedule, AgentStep } from "./agent-schedule.js";
import { Rehearsal } from "./rehearsal.js";

/** The lifetime of an `AgentJob`. */
export class AgentRehearsal extends Rehearsal<
    AgentJobInputs,
    AgentJobState,
    AgentOperation,
    AgentPlatform,
    FakeAgents
> {
    protected readonly calmPlatform: AgentPlatform = {
        jobMs: 30_000,
        outcome: "completed",
        staleMs: 0,
        archives: false,
    };

    constructor(schedule: AgentSchedule, workFolder: string) {
        super(schedule, {
            workFolder,
            type: "AgentJob",
            program: { projectId: "docs", prompt: "Describe the endpoint, 5ecret." },
            createServer: (clock) => new FakeAgents(clock),
            rules: {
                keyOf: (program) => {
                    const { projectId, prompt, triggers, jobId } = program as AgentJobInputs;
                    return JSON.stringify([projectId, prompt, triggers, jobId]);
                },
                freshForMs: Infinity,
                adviceOnUnanswered: /check on the platform whether the agent is working on it/,
            },
            subject: /project (docs|blog)/,
        });
    }

    protected createLifecycle(runtime: JobRuntime): AgentJobLifecycle {
        return new AgentJobLifecycle(runtime);
    }

    protected configure({ jobMs, outcome, staleMs, archives }: AgentPlatform): void {
        Object.assign(this.server, { jobMs, nextOutcome: outcome, staleMs });
        const job = this.#currentJob();
        if (archives && job) {
            job.archived = true;
        }
    }

    protected hasFailed(jobId: string): boolean {
        const job = this.server.jobs.get(jobId);
        return job?.outcome === "failed" && this.clock.now() >= job.endsMs;
    }

    protected effectOf(jobId: string): string {
        return `${jobId} ${this.server.jobs.get(jobId)?.prompts.length ?? 0}`;
    }

    protected mostStartsOf(): number {
        return 1;
    }

    protected calmEdit(): AgentStep["edit"] {
        const { jobId } = this.program;
        const named = jobId === undefined ? undefined : this.server.jobs.get(jobId);
        const isGone = jobId !== undefined && named?.outcome !== "completed";
        // An archived job does not accept messages.
        const isArchived = this.#currentJob()?.archived === true || named?.archived === true;
        return {
            timeoutSeconds: null,
            ...(isGone || isArchived ? { jobId: null } : {}),
            ...(isArchived ? { triggers: "anew" } : {}),
        };
    }

    protected assertEnd({ jobId, pendingJobId, status, prLink }: AgentJobState): void {
        assert.equal(pendingJobId, undefined);
        assert.ok(jobId, "there is no job");
        const job = this.server.jobs.get(jobId);
        if (job === undefined) {
            // The platform has since lost the job, but no request has revealed that yet.
            return;
        }
        // A refresh shows a job as active if another user has reactivated it, because no run waits for the job.
        assert.ok(["completed", "failed", "archived", "active"].includes(status ?? ""), `it is ${status}`);
        const { prompts, outcome } = job;
        if (!this.named.has(jobId)) {
            // If the prompt of a killed run is reverted, Pulumi sees no change, because its state never contained that
            // prompt.
            const isTakenBack = this.stateBefore.get(this.effectOf(jobId))?.prompt === this.program.prompt;
            assert.ok(isTakenBack || prompts.at(-1) === this.program.prompt, "the job has worked on another prompt");
            assert.equal(this.startedFor.get(jobId)?.projectId, this.program.projectId);
        }
        if (status === "completed") {
            assert.equal(outcome, "completed");
            // If the program sets a job, nothing records a message that a killed run, or a removed resource, has
            // just sent.
            const isUnknown = this.named.has(jobId) && this.stateBefore.has(this.effectOf(jobId));
            const isLast = new RegExp(`/${prompts.length}$`).test(prLink ?? "");
            assert.ok(isUnknown || isLast, "the end before the message was taken");
        }
    }

    protected planAtRest(): "same" {
        return "same";
    }

    protected secretsIn(text: string): boolean {
        return text.includes(adminApiKey) || text.includes("5ecret");
    }

    protected shownOf({ prompt: _secret, ...outputs }: AgentJobState): object {
        return outputs;
    }

    #currentJob() {
        const { outputs } = this.engine.resource ?? {};
        return this.server.jobs.get((outputs && currentJobOf(outputs)) ?? "");
    }
}
