import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { createReport, exitCodeOf, type PreviewReport } from "../../../cli/src/preview/preview-report.js";
import { type ProtectedStacks } from "../../../cli/src/preview/explain/protected-stacks.js";
import { readEvents } from "../../../cli/src/preview/log/read-events.js";
import { linesOf, logWith } from "./support/events.js";
import { markdownOf } from "./support/golden.js";

/** Returns a recorded preview, rewritten for a different stack. */
const inStack = (fixture: string, stack: string) =>
    logWith(fixture, (text) => text.replace(/^urn:pulumi:dev::/, `urn:pulumi:${stack}::`));

async function reportOf(log: string, protectedStacks?: ProtectedStacks): Promise<PreviewReport> {
    return createReport(await readEvents(Readable.from([log]), "The log"), { protectedStacks });
}

const told = ({ policies }: PreviewReport) =>
    policies.results.map(({ level, policy, resource }) => [level, policy, resource?.name]);

describe("A deletion, which is invisible to policy packs,", () => {
    it("is reported for exports and releases in a stack whose name begins with prod", async () => {
        const report = await reportOf(await inStack("delete", "production"));
        assert.deepEqual(told(report), [
            ["advisory", "no-deletion", "docs"],
            ["advisory", "no-deletion", "docs"],
        ]);
        assert.equal(exitCodeOf(report), 0);
        const markdown = await markdownOf(await inStack("delete", "production"));
        assert.match(markdown, /^### ⚠️ 2 resources are deleted\n/);
        assert.match(
            markdown,
            /\| advisory `high` \| `no-deletion` \| `docs` \| `This release is uninstalled in a protected/,
        );
        assert.match(markdown, /\| `docs` \| `This export is deleted in a protected stack/);
    });

    it("fails the check when the level is mandatory", async () => {
        const report = await reportOf(await inStack("delete", "production"), { stacks: ["prod*"], level: "mandatory" });
        assert.equal(exitCodeOf(report), 1);
        assert.equal(report.outcome, "rule-broken");
    });

    it("is reported only in the configured stacks", async () => {
        for (const [stack, pattern, isTold] of [
            ["dev", "prod*", false],
            ["my-prod", "prod*", false],
            ["eu-live-1", "*-live-*", true],
            ["live", "*-live-*", false],
            ["a.b", "a.b", true],
            ["a-b", "a.b", false],
        ] as const) {
            const report = await reportOf(await inStack("delete", stack), { stacks: [pattern], level: "advisory" });
            assert.equal(told(report).length > 0, isTold, `${stack} ${pattern}`);
        }
    });

    it("is reported for a release that is uninstalled and then reinstalled", async () => {
        const report = await reportOf(await inStack("release-replaced", "production"));
        assert.deepEqual(told(report), [["advisory", "no-deletion", "docs"]]);
    });

    it("is reported once for a site and its parts", async () => {
        const type = "static-export:index:DocumentationSite";
        const site = `urn:pulumi:production::e2e::${type}::docs`;
        const metadata = { op: "delete", urn: site, type, old: { parent: "urn:pulumi:production::e2e::x" } };
        const lines = (await inStack("delete", "production")).split("\n").filter(Boolean);
        const events = lines.map((line) => JSON.parse(line) as { resourcePreEvent?: { metadata: { old?: object } } });
        for (const { resourcePreEvent } of events) {
            Object.assign(resourcePreEvent?.metadata.old ?? {}, { parent: site });
        }
        const report = await reportOf(linesOf([...events, { resourcePreEvent: { metadata } }]));
        assert.deepEqual(told(report), [["advisory", "no-deletion", "docs"]]);
        assert.equal(report.policies.results[0]?.resource?.urn, site);
    });

    it("is not reported for an in-place update", async () => {
        for (const fixture of ["version", "values", "renewal", "mirror"]) {
            assert.deepEqual(told(await reportOf(await inStack(fixture, "production"))), [], fixture);
        }
    });
});
