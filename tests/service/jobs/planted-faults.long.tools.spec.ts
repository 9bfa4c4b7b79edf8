import assert from "node:assert/strict";
import { Run } from "../../../service/src/jobs/run.js";
import { agentJobs, agentPrompts, siteJobs } from "../../../service/src/jobs/transitions.js";
import { usePostgres } from "../support/postgres.js";
import { runPostgresRounds } from "./support/parallel-rounds.js";

/** As many as parallel-jobs.long.tools.spec.ts runs. */
const operations = 20_000;

/** Changes an object, and returns a function that changes it back. */
function plant<T extends object>(object: T, change: Partial<T>): () => void {
    const original = { ...object };
    Object.assign(object, change);
    return () => Object.assign(object, original);
}

const jobStatus = "(SELECT status FROM agent_jobs WHERE id = agent_prompts.job_id)";

/** Runs keep ticking after their outcome is stored, until everything has ended. */
function keepTicking(): () => void {
    const { end, worked } = Run.prototype;
    const recorded = new WeakSet<Run>();
    Run.prototype.worked = () => undefined;
    Run.prototype.end = function (this: Run) {
        if (recorded.has(this)) {
            end.call(this);
        }
        recorded.add(this);
    };
    return () => Object.assign(Run.prototype, { end, worked });
}

/** Faults that the service had, each with a function that puts it back, and with what the checker says about it. */
const faults: Record<string, readonly [put: () => () => void, message: RegExp]> = {
    "claims a job that is cancelled meanwhile": [
        () => plant(siteJobs.transitions.claim, { from: ["queued", "running", "completed", "failed"] }),
        // A run that was stopped then also believes that its cancelled job waits for another run.
        /operations of se_[^]*(?:cancel: "failed"|cancel: "running"[^]*putBack \d+: "requeued")/,
    ],
    "completes a cancelled job": [
        () => plant(siteJobs.transitions.complete, { isWanted: false }),
        /operations of se_[^]*complete \d+: true/,
    ],
    "completes an archived job": [
        () => {
            const undo = [
                plant(agentPrompts.transitions.end, { isWanted: false }),
                plant(agentJobs.transitions.complete, { from: ["active", "archived"] }),
            ];
            return () => undo.forEach((each) => each());
        },
        // Or an archived job keeps a prompt that never ends.
        /operations of aj_[^]*archive: null|every job has ended/,
    ],
    "leaves what was pushed for an archived job": [
        () => plant(agentPrompts.transitions.drop, { when: "0 = 0" }),
        /operations of aj_[^]*archive: null|change of prompt \d+ stays at the remote/,
    ],
    "forgets the outcome of a prompt once its job is archived": [
        () => plant(agentPrompts, { hasOutcome: agentJobs.hasOutcome.replace("status", jobStatus) }),
        /operations of aj_[^]*(?:finish|fail) \d+: false/,
    ],
    "stops a run whose outcome is stored": [keepTicking, /The upload after the outcome of \w+ was interrupted/],
};

describe("The checker of parallel jobs", () => {
    const server = usePostgres();

    for (const [fault, [put, message]] of Object.entries(faults)) {
        it(`notices a service that ${fault}`, async function () {
            this.timeout(60_000 + operations * 60);
            const undo = put();
            try {
                await assert.rejects(runPostgresRounds(server(), operations), { message });
            } finally {
                undo();
            }
        });
    }
});
