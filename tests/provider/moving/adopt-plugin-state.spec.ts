import assert from "node:assert/strict";
import { adoptPluginState } from "../../../provider/src/moving/adopt-plugin-state.js";
import { AgentJobLifecycle } from "../../../provider/src/agent-job/lifecycle.js";
import { BundleCheckLifecycle } from "../../../provider/src/bundle-check/lifecycle.js";
import { SavedJobs } from "../../../provider/src/jobs/saved-jobs.js";
import { MirrorLifecycle } from "../../../provider/src/bundle-mirror/lifecycle.js";
import type { Lifecycle } from "../../../provider/src/moving/adopt-plugin-state.js";
import { BundleLifecycle } from "../../../provider/src/static-export-bundle/lifecycle.js";
import { ExportJobLifecycle } from "../../../provider/src/static-export-job/lifecycle.js";
import { FakeClock } from "../../fake-clock.js";

interface State {
    [name: string]: unknown;
    __provider?: string;
}

/** A runtime that compares states, and fails at the first request. */
const runtime = {
    clock: new FakeClock(),
    savedJobs: new SavedJobs(),
    log: () => undefined,
    connect: () => assert.fail("it connects to the platform"),
} as never;

/** The plugin's state of a resource whose inputs are still in the program. */
const resources: Readonly<Record<string, { lifecycle: unknown; inputs: State; outputs: State; edit: State }>> = {
    StaticExportBundle: {
        lifecycle: new BundleLifecycle(runtime),
        inputs: { domain: "docs.example.com", version: "1" },
        outputs: { jobId: "se_1", bundleUrl: "https://bundles.example.com/se_1.tar.gz" },
        edit: { version: "2" },
    },
    StaticExportJob: {
        lifecycle: new ExportJobLifecycle(runtime),
        inputs: { domain: "docs.example.com", version: "1" },
        outputs: { jobId: "se_1" },
        edit: { version: "2" },
    },
    BundleMirror: {
        lifecycle: new MirrorLifecycle(runtime),
        inputs: { jobId: "se_1", bucket: "docs", publicUrl: "https://mirror.example.com" },
        outputs: { key: "static-exports/se_1.tar.gz", sha256: "0".repeat(64), url: "https://mirror.example.com/x" },
        edit: { bucket: "other" },
    },
    BundleCheck: {
        lifecycle: new BundleCheckLifecycle(runtime),
        inputs: { jobId: "se_1" },
        outputs: { sha256: "0".repeat(64), sizeBytes: 1, fileCount: 1 },
        edit: { jobId: "se_2" },
    },
    AgentJob: {
        lifecycle: new AgentJobLifecycle(runtime),
        inputs: { projectId: "docs", prompt: "Fix typos." },
        outputs: { jobId: "aj_1", status: "completed" },
        edit: { prompt: "Fix links." },
    },
};

describe("A dynamic resource that replaces a plugin resource", () => {
    for (const [name, { lifecycle, inputs, outputs, edit }] of Object.entries(resources)) {
        const lines: string[] = [];
        const adopting = adoptPluginState(lifecycle as Lifecycle<State, State>, (line) => lines.push(line));
        const olds: State = { ...inputs, ...outputs };
        const news: State = { ...inputs, __provider: "shim" };

        it(`adopts its provider in an update that does nothing else, and then shows no diff: ${name}`, async () => {
            assert.equal((await adopting.diff("id", olds, news)).changes, true);
            assert.match(lines.join("\n"), /this update only makes it a dynamic resource/);
            const { outs } = await adopting.update("id", olds, news);
            assert.deepEqual(outs, { ...olds, __provider: "shim" });
            assert.equal((await adopting.diff("id", outs ?? {}, news)).changes, false);
        });

        it(`updates as usual if an input also changes: ${name}`, async () => {
            const plain = await (lifecycle as Lifecycle<State, State>).diff("id", olds, { ...news, ...edit });
            assert.equal(plain.changes, true);
            assert.deepEqual(await adopting.diff("id", olds, { ...news, ...edit }), plain);
        });
    }

    it("passes everything else on to its lifecycle, and logs nothing", async () => {
        const calls: unknown[][] = [];
        const called =
            <T>(name: string, result: T) =>
            (...args: unknown[]) => {
                calls.push([name, ...args]);
                return Promise.resolve(result);
            };
        const inner = {
            check: called("check", { inputs: { a: 1 }, failures: [] }),
            diff: called("diff", { changes: false }),
            create: called("create", { id: "x", outs: {} }),
            read: called("read", { id: "x", props: {} }),
            update: called("update", { outs: { updated: true } }),
            delete: called("delete", undefined),
        } as unknown as Lifecycle<State, State>;
        const lines: string[] = [];
        const adopting = adoptPluginState(inner, (line) => lines.push(line));
        const [own, other] = [{ a: 1, __provider: "shim" }, { a: 1 }];
        assert.deepEqual(await adopting.check(own, own), { inputs: { a: 1 }, failures: [] });
        assert.deepEqual(await adopting.create(own), { id: "x", outs: {} });
        assert.deepEqual(await adopting.read("x", own), { id: "x", props: {} });
        await adopting.delete("x", own);
        assert.deepEqual(
            calls.map(([name]) => name),
            ["check", "create", "read", "delete"],
        );
        for (const [olds, news] of [
            [own, own],
            [own, other],
            [other, other],
        ] as const) {
            assert.deepEqual(await adopting.diff("x", olds, news), { changes: false });
            assert.deepEqual(await adopting.update("x", olds, news), { outs: { updated: true } });
        }
        assert.deepEqual(lines, []);
    });

    it("is updated as usual if an input also changes with its provider", async () => {
        const inner = {
            diff: () => Promise.resolve({ changes: true }),
            update: () => Promise.resolve({ outs: { updated: true } }),
        } as unknown as Lifecycle<State, State>;
        const adopting = adoptPluginState(inner, assert.fail);
        const news = { a: 2, __provider: "shim" };
        assert.deepEqual(await adopting.diff("x", { a: 1 }, news), { changes: true });
        assert.deepEqual(await adopting.update("x", { a: 1 }, news), { outs: { updated: true } });
    });
});
