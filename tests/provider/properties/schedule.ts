import fc from "fast-check";
import type { BundleInputs } from "../../../provider/src/static-export-bundle/model.js";
import { adminApiKey } from "../support/provider-fixture.js";
import type { FakeJob, Operation } from "../support/fake-platform.js";
import type { Fault } from "../support/fake-server.js";

/** What one run meets in a row: the same fault so many times, then the next. */
export type FaultPlan = readonly (readonly [fault: Fault | undefined, times: number])[];

/** Where a run is killed: at its n-th request, answer or sleep, or when it is over and before Pulumi has saved it. */
export type Kill = number | "before-save";

export interface Step {
    /** How long nothing happens before it. */
    readonly waitMs: number;
    /** What is edited in the program before it; null takes an input out. */
    readonly edit: { readonly [Input in keyof BundleInputs]?: BundleInputs[Input] | null };
    readonly action: "up" | "preview" | "refresh" | "destroy";
    readonly faults: Readonly<Record<Operation, FaultPlan>>;
    /** How the jobs go that are started in it. */
    readonly job: { readonly ms: number; readonly outcome: FakeJob["outcome"] };
    readonly linkTtlMs: number;
    /** The platform loses all its jobs before it. */
    readonly amnesia: boolean;
    readonly kill: Kill | null;
}

/** One life of a resource, and everything that goes wrong in it. */
export interface Schedule {
    readonly steps: readonly Step[];
    /** What every call of random() gives. */
    readonly random: number;
    /** How far the platform's clock is ahead. */
    readonly skewMs: number;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A server that repeats what it was sent, and says more than it should. */
const indiscreet =
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
/** The statuses that are retried, with the longest pauses. */
const comeBackLater = fc.constantFrom(
    ...[429, 503].flatMap((status) => ["90", "4000000000"].map((retryAfter): Fault => ({ status, retryAfter }))),
);
const anyBreak = fc.constantFrom<Fault>("refused", "reset", "lost", "truncated", "html", "hang");
const anyDelay = fc.integer({ min: 1, max: 25_000 }).map((delayMs) => ({ delayMs }));
const altered = (...fields: object[]) =>
    fc.constantFrom(...fields).map((field) => ({ altered: field as Record<string, unknown> }));

/** Fields that the contract does not promise: no reason to lose a job. */
const oddDetails = [{ status: null }, { error: "" }, { createdAt: 1795176000 }, { updatedAt: "now", progress: {} }];

const faultsOf: Record<Operation, fc.Arbitrary<Fault>> = {
    start: fc.oneof(anyStatus, comeBackLater, anyBreak, anyDelay, altered({ jobId: "" }, { jobId: {} }, ...oddDetails)),
    get: fc.oneof(
        anyStatus,
        comeBackLater,
        anyBreak,
        anyDelay,
        altered(
            { status: "rehearsing" },
            { status: "running", progress: 3 },
            { status: "queued", progress: null },
            { status: "running", progress: "n/a", pageCount: "many" },
            { status: "running", progress: 99.9 },
            { error: "", createdAt: 1795176000 },
            { status: "running", progress: -1e300, updatedAt: null },
            { pageCount: null, updatedAt: null },
            { jobId: "se_other" },
        ),
    ),
    bundle: fc.oneof(
        anyStatus,
        comeBackLater,
        fc.constant<Fault>({ status: 409, error: "the job has not finished" }),
        anyBreak,
        anyDelay,
        altered(
            { expiresAt: "2026-11-20T11:00:00Z" },
            { expiresAt: null },
            { expiresAt: null, bundleUrl: "https://bundles.example.com/b.tar.gz?signature=sig1&Expires=1795176000" },
            { bundleUrl: null },
            { sizeBytes: null },
            { sizeBytes: "4096", expiresAt: 1795176000 },
        ),
    ),
};

/** Mostly a few; now and then more than any retry bears, up to a storm that lasts past the deadline. */
const anyTimes = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 3 }) },
    { weight: 2, arbitrary: fc.integer({ min: 4, max: 12 }) },
    { weight: 1, arbitrary: fc.constant(1000) },
);

const anyPlan = (operation: Operation): fc.Arbitrary<FaultPlan> =>
    fc.array(fc.tuple(fc.option(faultsOf[operation], { nil: undefined, freq: 3 }), anyTimes), { maxLength: 3 });

const noFaults = { start: [], get: [], bundle: [] };

const anyStep: fc.Arbitrary<Step> = fc.record({
    waitMs: fc.oneof(
        { weight: 8, arbitrary: fc.constant(0) },
        { weight: 4, arbitrary: fc.constantFrom(20 * second, minute, 6 * minute) },
        { weight: 2, arbitrary: fc.constantFrom(hour, 3 * hour) },
        { weight: 1, arbitrary: fc.constantFrom(25 * hour, 8 * day) },
    ),
    edit: fc.oneof(
        { weight: 3, arbitrary: fc.constant({}) },
        {
            weight: 2,
            arbitrary: fc.record(
                {
                    domain: fc.constantFrom("docs.example.com", "docs.example.org"),
                    version: fc.constantFrom(null, "1", "2"),
                    paths: fc.constantFrom<string[] | null>(null, ["/start"]),
                    triggers: fc.constantFrom<unknown>(null, { commit: "abc" }, [1, null, "x"]),
                    jobId: fc.constantFrom(null, null, null, "se_1", "se_2", "se_3", "se_9"),
                    timeoutSeconds: fc.constantFrom(null, 1, 10, 10, 600),
                    renewBeforeSeconds: fc.constantFrom(null, 30, 600),
                    renewLink: fc.constantFrom(null, true, false),
                },
                { requiredKeys: [] },
            ),
        },
    ),
    action: fc.oneof(
        { weight: 10, arbitrary: fc.constant("up" as const) },
        { weight: 2, arbitrary: fc.constant("refresh" as const) },
        { weight: 1, arbitrary: fc.constant("preview" as const) },
        { weight: 1, arbitrary: fc.constant("destroy" as const) },
    ),
    faults: fc.oneof(
        { weight: 2, arbitrary: fc.constant(noFaults) },
        {
            weight: 3,
            arbitrary: fc.record({ start: anyPlan("start"), get: anyPlan("get"), bundle: anyPlan("bundle") }),
        },
    ),
    job: fc.record({
        ms: fc.constantFrom(30 * second, 2 * second, 5 * minute, 2 * hour),
        outcome: fc.oneof(
            { weight: 5, arbitrary: fc.constant("completed" as const) },
            { weight: 1, arbitrary: fc.constant({ failed: indiscreet }) },
        ),
    }),
    linkTtlMs: fc.constantFrom(hour, hour, 7 * day, minute, second, -minute),
    amnesia: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    kill: fc.oneof(
        { weight: 7, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.nat({ max: 25 }) },
        { weight: 1, arbitrary: fc.nat({ max: 4 }) },
        { weight: 1, arbitrary: fc.constant("before-save" as const) },
    ),
});

/** Prints as what a person would do to see it happen. */
export const anySchedule: fc.Arbitrary<Schedule> = fc
    .record({
        steps: fc.array(anyStep, { minLength: 1, maxLength: 8 }),
        random: fc.constantFrom(0.5, 0, 0.999),
        skewMs: fc.constantFrom(0, 0, 10 * minute, -10 * minute),
    })
    .map((schedule) => ({ ...schedule, [fc.toStringMethod]: () => describeSchedule(schedule) }));

function describeSchedule({ steps, random, skewMs }: Schedule): string {
    return [
        `random() = ${random}, the platform's clock is ${skewMs / second} s ahead`,
        ...steps.map((step, index) => `${index + 1}. ${describeStep(step)}`),
    ].join("\n        ");
}

export function describeStep({ waitMs, edit, action, faults, job, linkTtlMs, amnesia, kill }: Step): string {
    return [
        waitMs > 0 && `${waitMs / second} s later`,
        amnesia && "the platform loses all jobs",
        ...Object.entries(edit).map(([input, value]) => `set ${input} to ${JSON.stringify(value)}`),
        action.toUpperCase(),
        `jobs ${job.outcome === "completed" ? "complete" : "fail"} after ${job.ms / second} s`,
        `links live ${linkTtlMs / second} s`,
        ...Object.entries(faults).map(([operation, plan]) => plan.length > 0 && `${operation}: ${describePlan(plan)}`),
        kill !== null && (kill === "before-save" ? "killed before Pulumi saves" : `killed at point ${kill}`),
    ]
        .filter((part) => part !== false)
        .join("; ");
}

function describePlan(plan: FaultPlan): string {
    return plan.map(([fault, times]) => `${fault === undefined ? "well" : describeFault(fault)} ×${times}`).join(", ");
}

function describeFault(fault: Fault): string {
    if (typeof fault === "string") {
        return fault;
    }
    if ("status" in fault) {
        const { status, html, retryAfter } = fault;
        return `${status}${html ? " as HTML" : ""}${retryAfter === undefined ? "" : ` Retry-After: ${retryAfter}`}`;
    }
    return JSON.stringify(fault);
}
