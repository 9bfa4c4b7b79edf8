import assert from "node:assert/strict";
import { eventsOf, linesOf } from "./support/events.js";
import { markdownOf, reportOf } from "./support/golden.js";

const releaseUrn = "urn:pulumi:dev::e2e::kubernetes:helm.sh/v3:Release::docs";
const bundleUrn = "urn:pulumi:dev::e2e::pulumi-nodejs:dynamic/static-export:StaticExportBundle::docs";
const summary = { timestamp: 2, summaryEvent: { isPreview: true, PolicyPacks: {}, result: "succeeded" } };

/** Returns the log of one step of a resource, in the engine's format. */
function stepOf(op: string, urn: string, old?: object, state?: object): object {
    const metadata = { op, urn, type: urn.split("::")[2], old: old ?? null, new: state ?? null };
    return { timestamp: 1, resourcePreEvent: { metadata, planning: true } };
}

const inputs = {
    name: "docs",
    namespace: "web",
    chart: "documentation",
    version: "1.0.0",
    timeout: 300,
    values: { staticExport: { enabled: true, bundleUrl: "https://cdn.example.com/one", version: "1" } },
};

async function commentOf(...events: object[]): Promise<string> {
    return markdownOf(linesOf([...events, summary]));
}

describe("The preview report for unusual programs and older engines", () => {
    it("shows success if the summary of an older engine has no result", async () => {
        const events = (await eventsOf("version")).map((event) => withoutResult(event));
        const { report } = await reportOf(linesOf(events));
        assert.equal(report.outcome, "changes");
    });

    it("shows that a mirror serves an earlier copy, and that the release rolls its pods", async () => {
        const mirrorUrn = "urn:pulumi:dev::e2e::static-export:index:BundleMirror::docs";
        const before = { inputs: { jobId: "se_2", bucket: "docs" } };
        const after = { inputs: { ...before.inputs, pin: "se_1" } };
        const replace = stepOf("replace", mirrorUrn, before, after) as { resourcePreEvent: { metadata: object } };
        Object.assign(replace.resourcePreEvent.metadata, { keys: ["pin"] });
        const values = { staticExport: { enabled: true, version: "1" } };
        const update = stepOf("update", releaseUrn, { inputs }, { inputs: { ...inputs, values } });
        const comment = await commentOf(replace, update);
        assert.match(comment, /BundleMirror` \| the copy of the earlier job `se_1` is served \|/);
        assert.match(comment, /\| `web\/docs` \|.*\| \*\*rolls\*\*/);
    });

    for (const name of ["failed-program", "failed-compile", "failed-inputs"]) {
        it(`shows failure if the log of an older engine contains an error (${name})`, async () => {
            const events = (await eventsOf(name)).map((event) => withoutResult(event));
            assert.equal((await reportOf(linesOf(events))).report.outcome, "failed");
        });
    }

    for (const [level, outcome] of [
        ["advisory", "unchanged"],
        ["warning", "unchanged"],
        ["none", "unchanged"],
        ["mandatory", "rule-broken"],
        ["remediate", "rule-broken"],
        ["a later engine's", "rule-broken"],
    ] as const) {
        it(`is ${outcome} if a rule of a third-party pack has the level ${level}`, async () => {
            const policyEvent = {
                message: "Too large",
                policyName: "size",
                policyPackName: "aws",
                enforcementLevel: level,
            };
            const { report } = await reportOf(linesOf([{ timestamp: 1, policyEvent }, summary]));
            assert.equal(report.outcome, outcome);
            assert.deepEqual(report.policies.packs, ["aws"]);
        });
    }

    it("accepts a log with a byte order mark and Windows line endings", async () => {
        const log = linesOf(await eventsOf("version"));
        assert.equal(await markdownOf(`\uFEFF${log.replaceAll("\n", "\r\n")}`), await markdownOf(log));
    });

    it("does not report the rest of an interrupted replacement as a deletion", async () => {
        for (const urn of [bundleUrn, releaseUrn]) {
            const comment = await commentOf(
                stepOf("same", urn, { inputs }, { inputs }),
                stepOf("delete", urn, { inputs, delete: true }),
            );
            assert.doesNotMatch(comment, /Replaced, deleted or taken down|no-deletion/);
            assert.match(comment, /^### ✅ 1 other change\n/);
            assert.match(comment, /what an interrupted replacement left behind is deleted/);
        }
    });

    it("reports deletions that are not part of a replacement", async () => {
        const comment = await commentOf(stepOf("delete", releaseUrn, { inputs }));
        assert.match(comment, /uninstalled, and its site with it/);
    });

    it("does not count the engine's internal steps as changes", async () => {
        const provider = "urn:pulumi:dev::e2e::pulumi:providers:aws::main";
        const comment = await commentOf(
            stepOf("diff", releaseUrn, { inputs }, { inputs }),
            stepOf("same", releaseUrn, { inputs }, { inputs }),
            stepOf("extend-parameterize", provider, { inputs: {} }, { inputs: {} }),
        );
        assert.match(comment, /Nothing changes/);
    });

    for (const [what, outputs, expected] of [
        ["does not count a read with the same outputs", { vpc: "a" }, /Nothing changes/],
        ["counts a read with other outputs", { vpc: "b" }, /1 other change/],
    ] as const) {
        it(what, async () => {
            const urn = "urn:pulumi:dev::e2e::pulumi:pulumi:StackReference::network";
            const state = (read: object) => ({ inputs: { name: "network" }, outputs: { outputs: read } });
            const before = state({ vpc: "a" });
            const { resourcePreEvent: ended } = stepOf("read", urn, before, state(outputs)) as {
                resourcePreEvent: object;
            };
            const comment = await commentOf(stepOf("read", urn, before, { inputs: before.inputs }), {
                timestamp: 2,
                resOutputsEvent: ended,
            });
            assert.match(comment, expected);
        });
    }

    it("shows that an imported release already exists", async () => {
        const comment = await commentOf(stepOf("import", releaseUrn, undefined, { inputs }));
        assert.match(comment, /^### ✅ 1 release is imported\n/);
        assert.match(comment, /is imported \| it exists, and Pulumi will manage it/);
    });

    it("counts a release if only its upgrade options change", async () => {
        const comment = await commentOf(
            stepOf("update", releaseUrn, { inputs }, { inputs: { ...inputs, timeout: 900 } }),
        );
        assert.match(comment, /^### ✅ 1 release is upgraded\n/);
        assert.match(comment, /is upgraded \| argument `timeout` changes/);
    });

    it("warns that a new chart or chart version may roll the pods, even if the link is also renewed", async () => {
        const link = { staticExport: { enabled: true, bundleUrl: secret("two"), version: "1" } };
        const before = { staticExport: { enabled: true, bundleUrl: secret("one"), version: "1" } };
        const chart = await commentOf(
            stepOf("update", releaseUrn, { inputs }, { inputs: { ...inputs, version: "2.0.0" } }),
        );
        assert.match(chart, /may roll: a preview cannot tell \| argument `version` changes/);
        const both = await commentOf(
            stepOf(
                "update",
                releaseUrn,
                { inputs: { ...inputs, values: before } },
                { inputs: { ...inputs, values: link, chart: "other" } },
            ),
        );
        assert.match(both, /may roll: a preview cannot tell \| its link is renewed; argument `chart` changes/);
    });

    it("finds the staticExport section of a subchart", async () => {
        const served = (section: object) => ({
            ...inputs,
            values: { web: { docs: { replicas: 2, staticExport: section } } },
        });
        const old = served({ enabled: true, bundleUrl: secret("one"), version: "1" });
        const step = (section: object) => stepOf("update", releaseUrn, { inputs: old }, { inputs: served(section) });
        const rolls = await commentOf(step({ enabled: true, bundleUrl: secret("one"), version: "2" }));
        assert.match(rolls, /`1` → `2` \| \*\*rolls\*\*[^|]*\| value `web.docs.staticExport.version` changes/);
        const renewed = await commentOf(step({ enabled: true, bundleUrl: secret("two"), version: "1" }));
        assert.match(renewed, /only its Secret changes: no pod restarts \| its link is renewed/);
        const down = await commentOf(step({ enabled: false, bundleUrl: secret("one"), version: "1" }));
        assert.match(down, /the site is taken down \| `web.docs.staticExport.enabled` is no longer true/);
    });

    it("ignores settings called staticExport in other charts", async () => {
        const values = (staticExport: unknown) => ({ ...inputs, values: { next: { staticExport } } });
        const comment = await commentOf(
            stepOf("update", releaseUrn, { inputs: values(true) }, { inputs: values(false) }),
        );
        assert.match(comment, /may roll: a preview cannot tell \| value `next.staticExport` changes/);
    });
});

function secret(value: string): object {
    return { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value };
}

function withoutResult(event: object): object {
    if (!("summaryEvent" in event)) {
        return event;
    }
    const { result: _, ...rest } = event.summaryEvent as { result?: unknown };
    return { ...event, summaryEvent: rest };
}
