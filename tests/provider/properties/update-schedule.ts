import fc from "fast-check";
import type { UpdateInputs } from "../../../provider/src/documentation-update/model.js";
import type { Fault } from "../support/fake-server.js";
import type { FakeUpdate, UpdateOperation } from "../support/fake-updates.js";
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

export interface UpdatePlatform {
    /** The duration and the outcome of each started update. */
    readonly updateMs: number;
    readonly outcome: FakeUpdate["outcome"];
    /** The newest commit of the branch. */
    readonly pushed: string;
}

export type UpdateStep = Step<UpdateInputs, UpdateOperation, UpdatePlatform>;
export type UpdateSchedule = Schedule<UpdateStep>;

export const commits = ["1", "2"].map((digit) => digit.repeat(40));

const faults: Record<UpdateOperation, fc.Arbitrary<Fault>> = {
    start: fc.oneof(...anyTrouble, altered({ statusId: "" }, { statusId: {} })),
    get: fc.oneof(
        ...anyTrouble,
        altered(
            { status: "musing" },
            { status: null },
            { status: "in_progress", endedAt: "soon" },
            { summary: null, logs: null },
            { logs: 7, createdAt: 1795176000 },
            { _id: "du_other", projectId: {} },
        ),
    ),
};

const edit: fc.Arbitrary<UpdateStep["edit"]> = fc.record(
    {
        projectId: fc.constantFrom("docs", "docs", "blog"),
        triggers: fc.constantFrom<unknown>(null, { commit: "abc" }, [1, null, "x"]),
        expectedCommit: fc.constantFrom(null, ...commits, commits[0]!.slice(0, 7)),
        timeoutSeconds: fc.constantFrom(null, 1, 10, 10, 600),
    },
    { requiredKeys: [] },
);

const platform: fc.Arbitrary<UpdatePlatform> = fc.record({
    updateMs: fc.constantFrom(30 * second, 2 * second, 5 * minute, 2 * hour),
    outcome: fc.oneof(
        { weight: 5, arbitrary: fc.constant("success" as const) },
        { weight: 1, arbitrary: fc.constant("failure" as const) },
    ),
    pushed: fc.constantFrom(...commits),
});

export const anyUpdateSchedule = anyScheduleOf(anyStepOf({ edit, faults, platform }), fc.boolean());
