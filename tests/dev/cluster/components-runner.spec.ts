import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ComponentsRunner } from "../../../dev/cluster/src/local/control-plane/components-runner.js";

describe("ComponentsRunner", () => {
    let folder = "";
    beforeEach(async () => {
        folder = await mkdtemp(path.join(tmpdir(), "components-spec-"));
    });
    afterEach(() => rm(folder, { recursive: true }));

    it("stops waiting if a component exits, and shows the end of its log", async () => {
        const runner = new ComponentsRunner("dev", folder, undefined);
        const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
        await writeFile(path.join(folder, "etcd.log"), `${lines.join("\n")}\n`);
        runner.watch("etcd", Promise.resolve("ended with code 1"));
        const waiting = runner.waitFor("kube-apiserver", 60_000, () => Promise.resolve("connection refused"));
        await assert.rejects(waiting, {
            name: "ClusterError",
            message:
                "Cluster dev did not start: etcd ended with code 1. What was started has been stopped; its log, " +
                `${folder}/etcd.log, ends:\n${lines.slice(5).join("\n")}`,
        });
    });

    it("reports what was missing if a component takes too long", async () => {
        const runner = new ComponentsRunner("dev", folder, undefined);
        const waiting = runner.waitFor("kubelet", 0, () => Promise.resolve("cni plugin not initialized"));
        await assert.rejects(waiting, /: kubelet was not ready within 0 s: cni plugin not initialized\. /);
    });

    it("stops waiting as soon as nothing is missing", async () => {
        await new ComponentsRunner("dev", folder, undefined).waitFor("kubelet", 0, () => Promise.resolve(undefined));
    });
});
