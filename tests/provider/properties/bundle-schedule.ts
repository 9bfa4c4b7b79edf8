import fc from "fast-check";
import type { BundleInputs } from "../../../provider/src/static-export-bundle/model.js";
import type { FakeJob, Operation } from "../support/fake-platform.js";
import type { Fault } from "../support/fake-server.js";
import {
    altered,
    anyScheduleOf,
    anyStepOf,
    anyTrouble,
    day,
    hour,
    indiscreet,
    minute,
    oddDetails,
    type Schedule,
    second,
    type Step,
} from "./schedule.js";

export interface BundlePlatform {
    /** The duration and the outcome of each started job. */
    readonly job: { readonly ms: number; readonly outcome: FakeJob["outcome"] };
    readonly linkTtlMs: number;
}

export type BundleStep = Step<BundleInputs, Operation, BundlePlatform>;
export type BundleSchedule = Schedule<BundleStep>;

const faults: Record<Operation, fc.Arbitrary<Fault>> = {
    start: fc.oneof(...anyTrouble, altered({ jobId: "" }, { jobId: {} }, ...oddDetails)),
    get: fc.oneof(
        ...anyTrouble,
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
        ...anyTrouble,
        fc.constant<Fault>({ status: 409, error: "the job has not finished" }),
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

const edit: fc.Arbitrary<BundleStep["edit"]> = fc.record(
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
);

const platform: fc.Arbitrary<BundlePlatform> = fc.record({
    job: fc.record({
        ms: fc.constantFrom(30 * second, 2 * second, 5 * minute, 2 * hour),
        outcome: fc.oneof(
            { weight: 5, arbitrary: fc.constant("completed" as const) },
            { weight: 1, arbitrary: fc.constant({ failed: indiscreet }) },
        ),
    }),
    linkTtlMs: fc.constantFrom(hour, hour, 7 * day, minute, second, -minute),
});

export const anyBundleSchedule = anyScheduleOf(anyStepOf({ edit, faults, platform }), fc.boolean());
