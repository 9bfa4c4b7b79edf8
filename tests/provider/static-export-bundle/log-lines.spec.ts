import assert from "node:assert/strict";
import type { BundleInputs } from "../../../provider/src/static-export-bundle/model.js";
import { LifecycleFixture } from "../support/lifecycle-fixture.js";

const inputs: BundleInputs = { domain: "docs.example.com", version: "1", __provider: "shim" };

describe("The output about a StaticExportBundle", () => {
    let fixture: LifecycleFixture;
    beforeEach(() => {
        fixture = new LifecycleFixture();
    });
    afterEach(() => fixture.dispose());

    it("shows the progress of the job while waiting, but neither key nor link", async () => {
        fixture.platform.jobMs = 120_000;
        await fixture.create(inputs);
        const text = fixture.lines.join("\n");
        assert.match(text, /^docs\.example\.com se_1: export started$/m);
        assert.match(text, /^docs\.example\.com se_1: running, \d+ %, \d+ pages? \(\d+ s\)$/m);
        assert.match(text, /^docs\.example\.com se_1: bundle ready, 12 pages, 4096 bytes, its link expires at /m);
        assert.doesNotMatch(text, /signature|test_0123/);
    });

    it("never shows the version, which may be a secret of the program", async () => {
        const secret = { ...inputs, version: "s3cr3t-label" };
        const state = await fixture.create(secret);
        await fixture.changes(state, { ...secret, version: "another-s3cr3t" });
        await fixture.update(state, { ...secret, version: "another-s3cr3t" });
        const { failures } = await fixture.lifecycle.check({} as never, { ...secret, version: "s3cr3t\nline" });
        const text = [...fixture.lines, JSON.stringify(failures)].join("\n");
        assert.match(text, /version changed: this update runs one new export/);
        assert.match(text, /must be one line/);
        assert.doesNotMatch(text, /s3cr3t/);
    });

    it("says nothing in a preview without a change", async () => {
        const state = await fixture.create(inputs);
        fixture.lines.length = 0;
        assert.equal(await fixture.changes(state, inputs), false);
        assert.deepEqual(fixture.lines, []);
    });

    for (const renewBeforeSeconds of [3600, 86_400]) {
        it(`says that the link lives too short for renewal ${renewBeforeSeconds} s before its end`, async () => {
            const eager = { ...inputs, renewBeforeSeconds };
            const state = await fixture.create(eager);
            const says = `renewBeforeSeconds is ${renewBeforeSeconds}, but the link is valid for only 3600 s`;
            assert.ok(fixture.lines.some((line) => line.includes(says)));
            assert.equal(await fixture.changes(state, eager), false);
        });
    }

    it("leaves out what the platform does not report", async () => {
        fixture.platform.faults.bundle = [{ altered: { sizeBytes: undefined, expiresAt: undefined } }];
        const { sizeBytes, expiresAt } = await fixture.create(inputs);
        assert.deepEqual([sizeBytes, expiresAt], [undefined, undefined]);
        assert.equal(fixture.lines.at(-1), "docs.example.com se_1: bundle ready, 12 pages");
        const others = fixture.lines.slice(1, -1).filter((line) => !/ (queued|running|completed), /.test(line));
        assert.deepEqual(others, []);
    });

    it("shows the site's first ten warnings", async () => {
        const warning = (line: number) => ({ kind: "link", file: "a.md", line, reason: "leads nowhere" });
        fixture.platform.warnings = { count: 12, first: Array.from({ length: 12 }, (_, at) => warning(at + 1)) };
        await fixture.create(inputs);
        const told = fixture.lines.join("\n");
        const lines = told.slice(told.indexOf("docs.example.com se_1: the site has")).split("\n");
        assert.equal(lines[0], "docs.example.com se_1: the site has 12 warnings");
        assert.equal(lines[1], "docs.example.com se_1: warning: link: a.md:1: leads nowhere");
        assert.equal(lines[10], "docs.example.com se_1: warning: link: a.md:10: leads nowhere");
        assert.equal(lines[11], "docs.example.com se_1: see the others with: static-export job se_1");
        assert.match(lines[12] ?? "", /bundle ready/);
    });

    it("shows the site's warnings if the job failed", async () => {
        fixture.platform.nextOutcome = { failed: "a.md:1: leads nowhere" };
        fixture.platform.warnings = { count: 1, first: [{ kind: "link", file: "a.md", reason: "leads nowhere" }] };
        await assert.rejects(fixture.create(inputs));
        assert.match(fixture.lines.join("\n"), /the site has 1 warning\n.*: warning: link: a\.md: leads nowhere$/);
    });

    it("does not mention warnings if there are none", async () => {
        fixture.platform.warnings = { count: 0, first: [] };
        await fixture.create(inputs);
        assert.doesNotMatch(fixture.lines.join("\n"), /warning/);
    });
});
