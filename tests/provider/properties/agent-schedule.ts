import fc from "fast-check";
import type { AgentJobInputs } from "../../../provider/src/agent-job/model.js";
import type { AgentOperation, FakeAgentJob } from "../support/fake-agents.js";
import type { Fault } from "../support/fake-server.js";
import {
    altered,
    anyScheduleOf,
    anyStepOf,
    anyTrouble,
    hour,
    minute,
    type Schedule,
    second,
    type Step,
} from "./schedule.js";

export interface AgentPlatform {
    /** The duration and the outcome of each prompt. */
    readonly jobMs: number;
    readonly outcome: FakeAgentJob["outcome"];
    /** The old result is still shown for this long after a message. */
    readonly staleMs: number;
    /** Whether another user archives the resource's job before the step. */
    readonly archives: boolean;
}

export type AgentStep = Step<AgentJobInputs, AgentOperation, AgentPlatform>;
export type AgentSchedule = Schedule<AgentStep>;

/** Fields that the contract does not guarantee, or whose absence must not lose a job. */
const odd = altered({ model: null }, { createdAt: 1795176000 }, { prLink: 7 }, { source: null });

const faults: Record<AgentOperation, fc.Arbitrary<Fault>> = {
    create: fc.oneof(...anyTrouble, odd, altered({ id: "" }, { id: {} }, { status: "musing" })),
    message: fc.oneof(...anyTrouble, odd, altered({ status: "musing" })),
    get: fc.oneof(...anyTrouble, odd, altered({ status: null })),
};

/** A secret one. */
const anyPrompt = fc.constantFrom("Describe the keys, 5ecret.", "Shorter, 5ecret.", "Longer, 5ecret.");

const edit: fc.Arbitrary<AgentStep["edit"]> = fc.record(
    {
        projectId: fc.constantFrom("docs", "docs", "blog"),
        prompt: anyPrompt,
        triggers: fc.constantFrom<unknown>(null, { commit: "abc" }, [1, null, "x"]),
        failOnFailedJob: fc.constantFrom(null, null, false, true),
        jobId: fc.constantFrom(null, null, null, null, "aj_1", "aj_2", "aj_9"),
        timeoutSeconds: fc.constantFrom(null, 1, 10, 10, 600),
    },
    { requiredKeys: [] },
);

const platform: fc.Arbitrary<AgentPlatform> = fc.record({
    jobMs: fc.constantFrom(30 * second, 2 * second, 5 * minute, 2 * hour),
    outcome: fc.oneof(
        { weight: 5, arbitrary: fc.constant("completed" as const) },
        { weight: 1, arbitrary: fc.constant("failed" as const) },
    ),
    staleMs: fc.constantFrom(0, 0, 3 * second, 10 * second),
    archives: fc.oneof({ weight: 15, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

export const anyAgentSchedule = anyScheduleOf(anyStepOf({ edit, faults, platform }), fc.boolean());
