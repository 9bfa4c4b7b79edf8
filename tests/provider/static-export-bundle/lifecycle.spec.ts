import assert from "node:assert/strict";
import { exportInputNames } from "@pulumi-static-export/contract";
import type { BundleInputs, BundleState } from "../../../provider/src/static-export-bundle/model.js";
import { LifecycleFixture } from "../support/lifecycle-fixture.js";
import { savedStateOf } from "../support/provider-fixture.js";

const inputs: BundleInputs = { domain: "docs.example.com", version: "1", __provider: "shim" };

describe("lifecycle of a StaticExportBundle", () => {
    let fixture: LifecycleFixture;
    beforeEach(() => {
        fixture = new LifecycleFixture();
    });
    afterEach(() => fixture.dispose());

    describe("create", () => {
        it("sends each input that determines the exported content, except the triggers", async () => {
            const { platform } = fixture;
            const bodies: unknown[] = [];
            const { fetch } = platform;
            Object.assign(platform, {
                fetch: (url: string, request: { body?: string }) => {
                    bodies.push(JSON.parse(request.body ?? "{}"));
                    return fetch(url, request as never);
                },
            });
            fixture.restart();
            const exported = { domain: "docs.example.com", version: "1", paths: ["/start"], triggers: "t" };
            await fixture.create({ ...exported, renewBeforeSeconds: 60 });
            const sent = Object.keys(bodies[0] as object);
            assert.deepEqual(sent, ["domain", ...exportInputNames.filter((name) => name !== "triggers")]);
        });

        it("runs one job and returns its bundle", async () => {
            const { id, outs } = await fixture.lifecycle.create(inputs);
            assert.equal(id, "docs.example.com");
            assert.deepEqual(outs, {
                ...inputs,
                jobId: "se_1",
                bundleUrl: outs?.bundleUrl,
                expiresAt: outs?.expiresAt,
                sizeBytes: 4096,
                pageCount: 12,
                exportedAt: "2026-11-20T12:00:30.000Z",
                linkLifetimeSeconds: 3600,
            });
            assert.match(outs?.bundleUrl ?? "", /^https:\/\/bundles\.example\.com\/se_1\.tar\.gz\?signature=/);
            assert.equal(fixture.platform.count("start"), 1);
            assert.equal(fixture.platform.count("bundle"), 1);
        });

        it("adopts the job that the program names, and starts no job", async () => {
            await fixture.create(inputs);
            const adopted = await fixture.create({ domain: "live.example.com", jobId: "se_1" });
            assert.equal(adopted.jobId, "se_1");
            assert.equal(fixture.platform.count("start"), 1);
        });

        it("waits for a named job if it is still running", async () => {
            await fixture.platform.fetch("https://api.example.com/v1/static-export/jobs", {
                method: "POST",
                headers: {},
                body: JSON.stringify({ domain: "docs.example.com" }),
                redirect: "manual",
                signal: new AbortController().signal,
            });
            assert.equal((await fixture.create({ ...inputs, jobId: "se_1" })).pageCount, 12);
            assert.equal(fixture.platform.count("start"), 1);
        });

        it("fails with the job's own message, saves nothing, and starts a new job in the next run", async () => {
            fixture.platform.nextOutcome = { failed: "guide.md:12: unclosed tag" };
            await assert.rejects(fixture.create(inputs), (error: Error & { id?: string }) => {
                assert.match(error.message, /se_1 of docs\.example\.com failed: guide\.md:12: unclosed tag/);
                return error.id === undefined;
            });
            fixture.platform.nextOutcome = "completed";
            assert.equal((await fixture.create(inputs)).jobId, "se_2");
        });

        it("explains how to adopt the job if the outcome of the start is unknown", async () => {
            fixture.platform.faults.start = ["lost"];
            await assert.rejects(fixture.create(inputs), /may or may not have been started.*jobId/s);
            assert.equal(fixture.platform.count("start"), 1);
        });
    });

    describe("a wait that reaches its deadline", () => {
        const impatient = { ...inputs, timeoutSeconds: 10 };

        it("saves the job together with its provider, so that later calls can run", async () => {
            const { state, message } = await savedStateOf(fixture.create(impatient));
            assert.deepEqual(state, { ...impatient, pendingJobId: "se_1" });
            assert.match(message, /se_1 of docs\.example\.com was not done after 10 s/);
        });

        it("saves the job immediately when the run is interrupted", async () => {
            fixture.clock.everySecond(() => Promise.resolve(fixture.interruption.abort(new Error("interrupted"))));
            const { state, message } = await savedStateOf(fixture.create(inputs));
            assert.equal(state.pendingJobId, "se_1");
            assert.match(message, /interrupted/);
            assert.equal(fixture.platform.count("get"), 1);
        });

        it("keeps the served bundle while the next bundle is pending", async () => {
            const olds = await fixture.create(inputs);
            const news = { ...impatient, version: "2" };
            const { state } = await savedStateOf(fixture.update(olds, news));
            assert.equal(state.bundleUrl, olds.bundleUrl);
            assert.equal(state.pendingJobId, "se_2");
            assert.equal(state.version, "2");
        });

        it("starts a new job if the inputs change while an earlier job is pending", async () => {
            const { state } = await savedStateOf(fixture.create(impatient));
            assert.equal((await fixture.update(state, { ...inputs, version: "2" })).jobId, "se_2");
        });

        it("fails once if its job has failed, and starts a new job in the next run", async () => {
            fixture.platform.nextOutcome = { failed: "quota exceeded" };
            const { state } = await savedStateOf(fixture.create(impatient));
            fixture.clock.pass(60_000);
            const lost = await savedStateOf(fixture.update(state, impatient));
            assert.match(lost.message, /quota exceeded/);
            fixture.platform.nextOutcome = "completed";
            assert.equal((await fixture.update(lost.state, inputs)).jobId, "se_2");
        });

        it("remembers the last export if the job that follows a lost export fails", async () => {
            const olds = await fixture.create(inputs);
            fixture.platform.forgetAll();
            fixture.clock.pass(2 * 3600_000);
            fixture.platform.nextOutcome = { failed: "quota exceeded" };
            const { state } = await savedStateOf(fixture.update(olds, impatient));
            assert.deepEqual([state.jobId, state.pendingJobId], ["se_1", "se_2"]);
            fixture.clock.pass(60_000);
            const { state: lost } = await savedStateOf(fixture.update(state, impatient));
            assert.deepEqual([lost.jobId, lost.pendingJobId, lost.bundleUrl], ["se_1", undefined, olds.bundleUrl]);
        });

        for (const [skewMs, isStored] of [
            [4000, false],
            [-4000, false],
            [6000, true],
            [-6000, true],
        ] as const) {
            it(`${isStored ? "stores" : "ignores"} a difference of ${skewMs} ms between the clocks`, async () => {
                fixture.platform.skewMs = skewMs;
                const { clockSkewMs } = await fixture.create(inputs);
                assert.equal(clockSkewMs !== undefined, isStored);
            });
        }

        it("does not fall back to the previous version's export if its job has failed", async () => {
            const olds = await fixture.create(inputs);
            fixture.platform.nextOutcome = { failed: "quota exceeded" };
            const { state } = await savedStateOf(fixture.update(olds, { ...impatient, version: "2" }));
            fixture.clock.pass(60_000);
            const lost = await savedStateOf(fixture.update(state, { ...inputs, version: "2" }));
            fixture.platform.nextOutcome = "completed";
            assert.equal((await fixture.update(lost.state, { ...inputs, version: "2" })).jobId, "se_3");
        });
    });

    for (const [what, fault] of [
        ["a key that was rotated", { status: 401 }],
        ["a bundle that cannot be made for now", { status: 500 }],
    ] as const) {
        it(`saves the job after ${what}, and the next update resumes it`, async () => {
            const operation = fault.status === 401 ? "get" : "bundle";
            fixture.platform.faults[operation] = Array<typeof fault>(6).fill(fault);
            const { state, message } = await savedStateOf(fixture.create(inputs));
            assert.match(message, new RegExp(`${fault.status}`));
            fixture.platform.faults[operation] = [];
            assert.equal((await fixture.update(state, inputs)).jobId, "se_1");
            assert.equal(fixture.platform.count("start"), 1);
        });
    }

    describe("update", () => {
        let state: BundleState;
        beforeEach(async () => {
            state = await fixture.create(inputs);
        });

        it("runs one new job when the version changes", async () => {
            const updated = await fixture.update(state, { ...inputs, version: "2" });
            assert.equal(updated.jobId, "se_2");
            assert.equal(updated.version, "2");
            assert.equal(fixture.platform.count("start"), 2);
        });

        it("runs a new job when the version changes back, because the content may have changed in between", async () => {
            const second = await fixture.update(state, { ...inputs, version: "2" });
            assert.equal((await fixture.update(second, inputs)).jobId, "se_3");
        });

        it("renews an expired link with one request and no export", async () => {
            fixture.clock.pass(2 * 3600_000);
            fixture.platform.requests.length = 0;
            const renewed = await fixture.update(state, inputs);
            assert.deepEqual(fixture.platform.requests, [{ operation: "bundle", jobId: "se_1" }]);
            assert.notEqual(renewed.bundleUrl, state.bundleUrl);
            assert.equal(renewed.exportedAt, state.exportedAt);
            assert.equal(renewed.pageCount, state.pageCount);
            assert.equal(await fixture.changes(renewed, inputs), false);
            assert.ok(fixture.lines.includes("docs.example.com se_1: link renewed, nothing exported"));
        });

        it("exports again exactly once if the platform no longer has the link's archive", async () => {
            fixture.clock.pass(2 * 3600_000);
            fixture.platform.jobs.delete("se_1");
            assert.equal((await fixture.update(state, inputs)).jobId, "se_2");
            assert.equal(fixture.platform.count("start"), 2);
        });

        it("adopts another job that the program names", async () => {
            await fixture.create({ domain: "staging.example.com" });
            const adopted = await fixture.update(state, { ...inputs, jobId: "se_2" });
            assert.equal(adopted.jobId, "se_2");
            assert.equal(fixture.platform.count("start"), 2);
        });

        it("does not change the state when the new job fails", async () => {
            fixture.platform.nextOutcome = { failed: "broken page" };
            const failing = fixture.update(state, { ...inputs, version: "2" });
            await assert.rejects(failing, (error: { id?: string }) => error.id === undefined);
        });
    });

    describe("a link from a platform with a different clock", () => {
        for (const skewMinutes of [-10, 10]) {
            it(`is not renewed repeatedly if the platform is ${skewMinutes} minutes ahead`, async () => {
                fixture.platform.skewMs = skewMinutes * 60_000;
                fixture.platform.linkTtlMs = 60_000;
                const state = await fixture.create(inputs);
                fixture.clock.pass(30_000);
                assert.equal(await fixture.changes(state, inputs), false);
                fixture.clock.pass(31_000);
                assert.equal(await fixture.changes(state, inputs), true);
            });
        }
    });

    describe("read", () => {
        let state: BundleState;
        beforeEach(async () => {
            state = await fixture.create(inputs);
            fixture.platform.requests.length = 0;
        });

        it("preserves the link, and makes one request", async () => {
            const { id, props } = await fixture.lifecycle.read("docs.example.com", state);
            assert.equal(id, "docs.example.com");
            assert.deepEqual(props, state);
            assert.deepEqual(fixture.platform.requests, [{ operation: "get", jobId: "se_1" }]);
        });

        it("makes no request if the state names no job", async () => {
            const { jobId, ...lost } = state;
            assert.deepEqual(await fixture.lifecycle.read("docs.example.com", lost), {
                id: "docs.example.com",
                props: lost,
            });
            assert.deepEqual(fixture.platform.requests, []);
        });

        it("treats 404 as a removed resource", async () => {
            fixture.platform.jobs.clear();
            assert.deepEqual(await fixture.lifecycle.read("docs.example.com", state), { id: "" });
        });

        it("requests the pending job", async () => {
            const { state: pending } = await savedStateOf(
                fixture.update(state, { ...inputs, version: "2", timeoutSeconds: 1 }),
            );
            fixture.platform.requests.length = 0;
            await fixture.lifecycle.read("docs.example.com", pending);
            assert.deepEqual(fixture.platform.requests, [{ operation: "get", jobId: "se_2" }]);
        });
    });

    it("makes no request when deleted", async () => {
        const state = await fixture.create(inputs);
        fixture.platform.requests.length = 0;
        await fixture.lifecycle.delete("docs.example.com", state);
        assert.deepEqual(fixture.platform.requests, []);
    });
});
