import assert from "node:assert/strict";
import { bundleType, exportJobType, markKey, marks, unknownValue } from "@pulumi-static-export/contract";
import fc from "fast-check";
import { type ExportChange } from "../../../cli/src/preview/explain/explain-export.js";
import { type EngineEvent } from "../../../cli/src/preview/log/engine-event.js";
import { describeDiff } from "../../../plugin/src/resources/describe-diff.js";
import { resourceKinds } from "../../../plugin/src/resources/resource-kinds.js";
import { createReport } from "../../../cli/src/preview/preview-report.js";
import type { BundleInputs, BundleState } from "../../../provider/src/static-export-bundle/model.js";
import { ExportJobLifecycle } from "../../../provider/src/static-export-job/lifecycle.js";
import { LifecycleFixture } from "../../provider/support/lifecycle-fixture.js";
import { FakePlatform } from "../../provider/support/fake-platform.js";
import { ProviderFixture } from "../../provider/support/provider-fixture.js";
import { scaled } from "../../scale.js";

const numRuns = scaled({ short: 150, long: 3000 });
const domain = "docs.example.com";
const nowMs = Date.parse("2026-11-20T12:00:00Z");
const secret = { [markKey]: marks.secret, ciphertext: "[secret]" };
const fileAt = (path: string, hash: string) => ({ [markKey]: marks.asset, hash, path });

/** An input in a program, and in the log of its preview. */
interface Value {
    given: unknown;
    shown: unknown;
}

const clear = (given: unknown): Value => ({ given, shown: given });
const hidden = (given: unknown): Value => ({ given, shown: secret });

const anyTrigger = fc.constantFrom(
    clear(undefined),
    clear("a"),
    clear(["a", { b: 1 }]),
    clear(fileAt("one", "h1")),
    clear(fileAt("two", "h1")),
    clear(fileAt("two", "h2")),
    hidden("a"),
    hidden("b"),
    { given: ["a", "x"], shown: ["a", secret] },
    { given: ["b", "y"], shown: ["b", secret] },
);

const anyInputs = fc.record(
    {
        version: fc.constantFrom("1", "2"),
        paths: fc.constantFrom(["/a", "/b"], ["/b", "/a"], ["/a"]),
        renewBeforeSeconds: fc.constantFrom(60, 1800, 7200, 7 * 86_400),
        renewLink: fc.boolean(),
        jobId: fc.constantFrom("se_1", "se_2"),
    },
    { requiredKeys: [] },
);

/** Missing in one of three cases. */
const mostly = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
/** Missing in three of four cases. */
const rarely = <T>(value: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const anyOutputs = fc.record({
    jobId: mostly(fc.constantFrom("se_1", "se_2")),
    pendingJobId: rarely(fc.constantFrom("se_1", "se_2")),
    bundleUrl: mostly(fc.constant("https://bundles.example.com/se_1.tar.gz?signature=x")),
    expiresAt: fc.constantFrom("2026-11-20T11:00:00.000Z", "2026-11-20T12:20:00.000Z", "2026-11-25T12:00:00.000Z"),
    linkLifetimeSeconds: rarely(fc.constantFrom(3600, 86_400)),
    clockSkewMs: rarely(fc.constantFrom(-7_200_000, 7_200_000)),
});

const anyState = fc.record({ inputs: anyInputs, triggers: anyTrigger, outputs: anyOutputs });

/** The difference between a program and the state. */
const anyEdit = fc.record({
    inputs: rarely(anyInputs),
    triggers: mostly(anyTrigger),
    unknown: rarely(fc.constantFrom("version", "triggers", "jobId")),
    domain: rarely(fc.constant("other.example.com")),
});

type State = typeof anyState extends fc.Arbitrary<infer T> ? T : never;
type Edit = typeof anyEdit extends fc.Arbitrary<infer T> ? T : never;

const without = (values: object) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

function stateOf({ inputs, triggers, outputs }: State): { real: BundleState; shown: object } {
    const { jobId, ...others } = inputs;
    const state = { domain, ...others, ...outputs };
    const link = outputs.bundleUrl === undefined ? {} : { bundleUrl: secret };
    return {
        real: without({ ...state, triggers: triggers.given }) as unknown as BundleState,
        shown: without({ ...state, triggers: triggers.shown, ...link }),
    };
}

function programOf(state: State, edit: Edit, hasJob = true): { real: BundleInputs; shown: object; isSecret: boolean } {
    const triggers = edit.triggers ?? state.triggers;
    const { jobId, ...inputs } = { ...state.inputs, ...edit.inputs };
    const named = hasJob ? { jobId } : {};
    const later = edit.unknown === undefined ? {} : { [edit.unknown]: unknownValue };
    const wanted = { domain, ...inputs, ...named, ...(edit.domain && { domain: edit.domain }) };
    return {
        real: without({ ...wanted, triggers: triggers.given, ...later }) as unknown as BundleInputs,
        shown: without({ ...wanted, triggers: triggers.shown, ...later }),
        isSecret: [state.triggers, triggers].some(({ given, shown }) => given !== shown),
    };
}

interface Diff {
    changes?: boolean;
    replaces?: string[];
}

/** Returns what the report says about a resource if the engine plans what its provider's diff says. */
function reportOf(
    { type, changes, replaces = [], diffs }: Diff & { type: string; diffs?: readonly string[] },
    olds: object,
    news: object,
): ExportChange | undefined {
    const op = replaces.length > 0 ? "replace" : changes === true ? "update" : "same";
    const urn = `urn:pulumi:dev::docs::${type}::docs`;
    const old = { type, urn, inputs: {}, outputs: olds };
    const metadata = { op, urn, type, old, new: { type, urn, inputs: news, outputs: {} }, keys: replaces, diffs };
    const events = [{ timestamp: nowMs / 1000, resourcePreEvent: { metadata } }] as unknown as EngineEvent[];
    return createReport({ events, isCut: false }).exports[0];
}

function reasonsOf({ reasons }: ExportChange): string {
    return reasons
        .map((reason) => reason.map((part) => (typeof part === "string" ? part : part.code)).join(""))
        .join("; ");
}

describe("The preview report of a StaticExportBundle", () => {
    let fixture: LifecycleFixture;
    beforeEach(() => {
        fixture = new LifecycleFixture();
    });
    afterEach(() => fixture.dispose());

    /** Runs the update, or the replacement, and returns what it did to the platform. */
    async function effectOf(olds: BundleState, news: BundleInputs, isReplaced: boolean): Promise<string> {
        const { platform, clock, lifecycle } = fixture;
        for (const jobId of ["se_1", "se_2", unknownValue]) {
            const startedMs = clock.now() - 60_000;
            platform.jobs.set(jobId, { domain, version: "1", startedMs, endsMs: startedMs + 1, outcome: "completed" });
        }
        platform.requests.length = 0;
        const { outs } = isReplaced ? await lifecycle.create(news) : await lifecycle.update(olds.domain, olds, news);
        const { jobId } = outs as BundleState;
        if (platform.count("start") > 0) {
            return "export";
        }
        if (platform.count("get") === 0) {
            return "renew";
        }
        return jobId === news.jobId && jobId !== olds.pendingJobId ? "adopt" : "resume";
    }

    async function compare(
        state: State,
        edit: Edit,
        assertEqual: (told: ExportChange, done: string) => void,
        describeFor: (olds: BundleState, news: BundleInputs, diff: Diff) => { type: string; diffs?: readonly string[] },
    ): Promise<void> {
        fixture.dispose();
        fixture = new LifecycleFixture();
        const [olds, news] = [stateOf(state), programOf(state, edit)];
        const diff = await fixture.lifecycle.diff(domain, olds.real, news.real);
        const told = reportOf({ ...diff, ...describeFor(olds.real, news.real, diff) }, olds.shown, news.shown);
        assert.equal(told !== undefined, diff.changes);
        if (told !== undefined) {
            const isReplaced = diff.replaces !== undefined;
            assert.equal(told.kind, isReplaced ? "replace" : "update");
            const done = await effectOf(olds.real, news.real, isReplaced);
            // A pending job that the program also names is either adopted or resumed.
            const isNamed = news.real.jobId !== undefined && news.real.jobId === olds.real.pendingJobId;
            assertEqual(told, done === "resume" && isNamed && told.effect === "adopt" ? "adopt" : done);
        }
    }

    it("says what the next run does, for any state and program", async () => {
        await fc.assert(
            fc.asyncProperty(anyState, anyEdit, (state, edit) =>
                compare(
                    state,
                    edit,
                    ({ effect }, done) => {
                        const { isSecret } = programOf(state, edit);
                        assert.ok(effect === done || (effect === "perhaps" && isSecret), `${effect} is not ${done}`);
                    },
                    () => ({ type: bundleType }),
                ),
            ),
            { numRuns },
        );
    });

    it("says what the next run does with the plugin, even if only a secret changes", async () => {
        const kind = resourceKinds["static-export:index:StaticExportBundle"]!;
        const { lifecycle } = fixture;
        await fc.assert(
            fc.asyncProperty(anyState, anyEdit, (state, edit) =>
                compare(
                    state,
                    edit,
                    ({ effect }, done) => assert.equal(effect, done),
                    (olds, news, diff) => {
                        const described = { kind, lifecycle: lifecycle as never };
                        const response = describeDiff(described, { ...olds }, { ...news }, diff);
                        return { type: "static-export:index:StaticExportBundle", diffs: response.getDiffsList() };
                    },
                ),
            ),
            { numRuns },
        );
    });

    for (const [what, news, effect, reasons] of [
        [
            "a due link",
            {},
            "perhaps",
            /secret input may have changed.*otherwise, its link expired at 2026-11-20 11:00 UTC/,
        ],
        [
            "a working link",
            { renewLink: false },
            "export",
            /^a secret input may have changed, which a preview does not/,
        ],
        ["another version", { version: "2" }, "export", /^version changes$/],
    ] as const) {
        it(`does not guess whether a secret trigger has changed, with ${what}`, () => {
            const olds = {
                ...{ domain, version: "1", triggers: secret, jobId: "se_1", bundleUrl: secret },
                expiresAt: "2026-11-20T11:00:00Z",
            };
            const diff = { type: bundleType, changes: true };
            const told = reportOf(diff, olds, { domain, version: "1", triggers: secret, ...news })!;
            assert.equal(told.effect, effect);
            assert.match(reasonsOf(told), reasons);
        });
    }

    it("says that a lost job is the reason to adopt the job that the program names", () => {
        const olds = { domain, version: "1" };
        const told = reportOf({ type: bundleType, changes: true }, olds, { ...olds, jobId: "se_2" })!;
        assert.equal(
            reasonsOf(told),
            "the last export job failed or was lost; jobId names job se_2, whose bundle is used",
        );
    });

    it("considers a file the same under another path", () => {
        const olds = { domain, triggers: fileAt("one", "h1"), jobId: "se_1", bundleUrl: secret };
        const expired = { ...olds, expiresAt: "2026-11-20T11:00:00Z" };
        const told = reportOf({ type: bundleType, changes: true }, expired, { domain, triggers: fileAt("two", "h1") });
        assert.equal(told?.effect, "renew");
    });

    it("renews a link after half of its lifetime if that lifetime is at most renewBeforeSeconds", () => {
        const olds = { domain, triggers: secret, jobId: "se_1", bundleUrl: secret, linkLifetimeSeconds: 3600 };
        const news = { domain, triggers: secret, renewBeforeSeconds: 86_400 };
        const toldAt = (expiresAt: string) =>
            reportOf({ type: bundleType, changes: true }, { ...olds, expiresAt }, news)?.effect;
        assert.equal(toldAt("2026-11-20T12:31:00Z"), "export");
        assert.equal(toldAt("2026-11-20T12:30:00Z"), "perhaps");
    });
});

describe("The preview report of a StaticExportJob", () => {
    it("says that each update exports, for any state and program", async () => {
        const fixture = new ProviderFixture(
            (clock) => new FakePlatform(clock),
            (runtime) => new ExportJobLifecycle(runtime),
        );
        try {
            await fc.assert(
                fc.asyncProperty(anyState, anyEdit, async (state, edit) => {
                    const [olds, news] = [stateOf(state), programOf(state, edit, false)];
                    const diff = await fixture.lifecycle.diff(domain, olds.real, news.real);
                    const told = reportOf({ ...diff, type: exportJobType }, olds.shown, news.shown);
                    assert.equal(told?.effect, diff.changes === true ? "export" : undefined);
                }),
                { numRuns },
            );
        } finally {
            fixture.dispose();
        }
    });
});
