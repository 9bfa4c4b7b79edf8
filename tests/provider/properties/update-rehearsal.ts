import assert from "node:assert/strict";
import { UpdateLifecycle } from "../../../provider/src/documentation-update/lifecycle.js";
import {
    isExpected,
    type UpdateInputs,
    updateOf,
    type UpdateState,
} from "../../../provider/src/documentation-update/model.js";
import type { JobRuntime } from "../../../provider/src/jobs/runtime.js";
import { FakeUpdates, type UpdateOperation } from "../support/fake-updates.js";
import { adminApiKey } from "../support/provider-fixture.js";
import { Rehearsal } from "./rehearsal.js";
import { commits, type UpdatePlatform, type UpdateSchedule, type UpdateStep } from "./update-schedule.js";

/** The lifetime of a `DocumentationUpdate`. */
export class UpdateRehearsal extends Rehearsal<
    UpdateInputs,
    UpdateState,
    UpdateOperation,
    UpdatePlatform,
    FakeUpdates
> {
    protected readonly calmPlatform: UpdatePlatform = { updateMs: 30_000, outcome: "success", pushed: commits[0]! };

    constructor(schedule: UpdateSchedule, workFolder: string) {
        super(schedule, {
            workFolder,
            type: "DocumentationUpdate",
            program: { projectId: "docs" },
            createServer: (clock) => new FakeUpdates(clock),
            rules: {
                keyOf: (program) => JSON.stringify(updateOf(program as UpdateInputs)),
                freshForMs: 3600_000,
                adviceOnUnanswered: /The next `pulumi up` starts a new update/,
            },
            subject: /project (docs|blog)/,
        });
    }

    protected createLifecycle(runtime: JobRuntime): UpdateLifecycle {
        return new UpdateLifecycle(runtime);
    }

    protected configure({ updateMs, outcome, pushed }: UpdatePlatform): void {
        Object.assign(this.server, { updateMs, nextOutcome: outcome, pushed });
    }

    /** An update also fails if it publishes a commit other than the expected commit. */
    protected hasFailed(statusId: string): boolean {
        const update = this.server.jobs.get(statusId);
        const { expectedCommit } = this.program;
        const isOther = expectedCommit !== undefined && !isExpected(update?.sha, expectedCommit);
        return (update?.outcome === "failure" || isOther) && this.clock.now() >= (update?.endsMs ?? 0);
    }

    protected effectOf(statusId: string): string {
        return statusId;
    }

    protected override jobsOf({ statusId, pendingJobId }: UpdateState) {
        return {
            ...(statusId === undefined ? {} : { jobId: statusId }),
            ...(pendingJobId === undefined ? {} : { pendingJobId }),
        };
    }

    protected mostStartsOf(): number {
        return 1;
    }

    protected calmEdit(): UpdateStep["edit"] {
        return { timeoutSeconds: null, expectedCommit: null };
    }

    protected assertEnd({ projectId, statusId, status, commit, pendingJobId }: UpdateState): void {
        assert.equal(pendingJobId, undefined);
        assert.ok(statusId, "there is no update");
        assert.equal(status, "success");
        assert.equal(projectId, this.program.projectId);
        const update = this.server.jobs.get(statusId);
        // The platform may have since lost the update, but no request has revealed that yet.
        if (update !== undefined) {
            assert.equal(update.outcome, "success");
            assert.equal(commit?.sha, update.sha);
        }
        assert.deepEqual(this.startedFor.get(statusId)?.triggers, this.program.triggers);
    }

    protected planAtRest(): "same" {
        return "same";
    }

    protected secretsIn(text: string): boolean {
        return text.includes(adminApiKey);
    }

    protected shownOf(outputs: UpdateState): object {
        return outputs;
    }
}
