import fc from "fast-check";
import { adminApiKey } from "../support/provider-fixture.js";
import type { Fault } from "../support/fake-server.js";

/** The faults of one run in order, each with a number of repetitions. */
export type FaultPlan = readonly (readonly [fault: Fault | undefined, times: number])[];

/**
 * The point at which a run is killed: its n-th request, response or sleep, or its end, before Pulumi has saved the
 * result.
 */
export type Kill = number | "before-save";

/** @typeParam Platform - the settings of the platform for the step */
export interface Step<Inputs, Operation extends string, Platform> {
    /** The idle time before the step. */
    readonly waitMs: number;
    /** The edits to the program before the step; null removes an input. */
    readonly edit: { readonly [Input in keyof Inputs]?: Inputs[Input] | null };
    readonly action: "up" | "preview" | "refresh" | "destroy";
    readonly faults: Readonly<Record<Operation, FaultPlan>>;
    readonly platform: Platform;
    /** Whether the platform loses all its jobs before the step. */
    readonly amnesia: boolean;
    readonly kill: Kill | null;
    /** The data that is lost before the step, together with the previous step's machine. */
    readonly lost: "nothing" | "disk" | "disk and checkpoint";
}

/** The lifetime of one resource, with all the faults injected into it. */
export interface Schedule<AnyStep> {
    readonly steps: readonly AnyStep[];
    /** The result of every call to random(). */
    readonly random: number;
    /** How far the platform's clock is ahead. */
    readonly skewMs: number;
    /** Whether the platform finds the job when a start is retried. */
    readonly honoursKeys: boolean;
    /** Whether all steps belong to one pipeline run, whose id is in the environment. */
    readonly isInPipeline: boolean;
    readonly way: "dynamic" | "plugin";
}

export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The error text of a server that echoes requests, and reveals more than it should. */
export const indiscreet =
    `Bearer ${adminApiKey} was refused, see https://bundles.example.com/se_1.tar.gz?signature=sig0 ` +
    "<b>and\nretry</b>";

const anyStatus = fc.record(
    {
        status: fc.constantFrom(400, 401, 403, 404, 408, 409, 429, 429, 500, 502, 503, 503, 504, 302, 418),
        error: fc.constant(indiscreet),
        retryAfter: fc.constantFrom(
            ...["0", "3", "90", "4000000000", "soon", "Fri, 20 Nov 2026 12:05:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"],
        ),
        html: fc.constant(true as const),
    },
    { requiredKeys: ["status"] },
);
/** Statuses that the client retries, with the longest pauses. */
const comeBackLater = fc.constantFrom(
    ...[429, 503].flatMap((status) => ["90", "4000000000"].map((retryAfter): Fault => ({ status, retryAfter }))),
);
const anyBreak = fc.constantFrom<Fault>("refused", "reset", "lost", "truncated", "html", "hang");
const anyDelay = fc.integer({ min: 1, max: 25_000 }).map((delayMs) => ({ delayMs }));
export const altered = (...fields: object[]): fc.Arbitrary<Fault> =>
    fc.constantFrom(...fields).map((field) => ({ altered: field as Record<string, unknown> }));

/** Fields that the contract does not guarantee, so their absence must not lose a job. */
export const oddDetails = [
    { status: null },
    { error: "" },
    { createdAt: 1795176000 },
    { updatedAt: "now", progress: {} },
];

/** The possible faults of any request. */
export const anyTrouble: readonly fc.Arbitrary<Fault>[] = [anyStatus, comeBackLater, anyBreak, anyDelay];

/** Usually a few repetitions; sometimes more than the retries allow, up to a series that lasts beyond the deadline. */
const anyTimes = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 3 }) },
    { weight: 2, arbitrary: fc.integer({ min: 4, max: 12 }) },
    { weight: 1, arbitrary: fc.constant(1000) },
);

const planOf = (fault: fc.Arbitrary<Fault>): fc.Arbitrary<FaultPlan> =>
    fc.array(fc.tuple(fc.option(fault, { nil: undefined, freq: 3 }), anyTimes), { maxLength: 3 });

/** Generates steps for any kind of resource. */
export function anyStepOf<Inputs, Operation extends string, Platform>({
    edit,
    faults,
    platform,
}: {
    edit: fc.Arbitrary<Step<Inputs, Operation, Platform>["edit"]>;
    faults: Record<Operation, fc.Arbitrary<Fault>>;
    platform: fc.Arbitrary<Platform>;
}): fc.Arbitrary<Step<Inputs, Operation, Platform>> {
    const operations = Object.keys(faults) as Operation[];
    const plans = (plan: (operation: Operation) => fc.Arbitrary<FaultPlan>) =>
        fc.record(Object.fromEntries(operations.map((operation) => [operation, plan(operation)]))) as fc.Arbitrary<
            Record<Operation, FaultPlan>
        >;
    return fc.record({
        waitMs: fc.oneof(
            { weight: 8, arbitrary: fc.constant(0) },
            { weight: 4, arbitrary: fc.constantFrom(20 * second, minute, 6 * minute) },
            { weight: 2, arbitrary: fc.constantFrom(hour, 3 * hour) },
            { weight: 1, arbitrary: fc.constantFrom(25 * hour, 8 * day) },
        ),
        edit: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: edit }),
        action: fc.oneof(
            { weight: 10, arbitrary: fc.constant("up" as const) },
            { weight: 2, arbitrary: fc.constant("refresh" as const) },
            { weight: 1, arbitrary: fc.constant("preview" as const) },
            { weight: 1, arbitrary: fc.constant("destroy" as const) },
        ),
        faults: fc.oneof(
            { weight: 2, arbitrary: plans(() => fc.constant([])) },
            { weight: 3, arbitrary: plans((operation) => planOf(faults[operation])) },
        ),
        platform,
        amnesia: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
        kill: fc.oneof(
            { weight: 7, arbitrary: fc.constant(null) },
            { weight: 1, arbitrary: fc.nat({ max: 25 }) },
            { weight: 1, arbitrary: fc.nat({ max: 4 }) },
            { weight: 1, arbitrary: fc.constant("before-save" as const) },
        ),
        lost: fc.oneof(
            { weight: 8, arbitrary: fc.constant("nothing" as const) },
            { weight: 2, arbitrary: fc.constant("disk" as const) },
            { weight: 1, arbitrary: fc.constant("disk and checkpoint" as const) },
        ),
    });
}

export function anyScheduleOf<Inputs, Operation extends string, Platform>(
    step: fc.Arbitrary<Step<Inputs, Operation, Platform>>,
    honoursKeys: fc.Arbitrary<boolean>,
): fc.Arbitrary<Schedule<Step<Inputs, Operation, Platform>>> {
    return fc.record({
        steps: fc.array(step, { minLength: 1, maxLength: 8 }),
        random: fc.constantFrom(0.5, 0, 0.999),
        skewMs: fc.constantFrom(0, 0, 10 * minute, -10 * minute),
        honoursKeys,
        isInPipeline: fc.boolean(),
        way: fc.constantFrom("dynamic", "plugin"),
    });
}
