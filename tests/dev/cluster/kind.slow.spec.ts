import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import path from "node:path";
import { clusterDown } from "../../../dev/cluster/src/cluster-down.js";
import { clusterStatus } from "../../../dev/cluster/src/cluster-status.js";
import { clusterUp } from "../../../dev/cluster/src/cluster-up.js";
import { Sandbox } from "../toolchain/support.js";

const quiet = { name: "dev", onProgress: () => undefined };

describe("a cluster created by kind", () => {
    const sandbox = Sandbox.use();
    const folder = () => path.join(sandbox.folder, "cache/clusters/dev");
    const kindCalls = () => readFile(path.join(sandbox.folder, "kind.log"), "utf8");
    let kubectl = "";
    const putKind = (body = "") => sandbox.script("kind", `echo "$@" >> ${sandbox.folder}/kind.log; ${body}`);
    beforeEach(async () => {
        await putKind();
        kubectl = await sandbox.script("kubectl", "echo ok");
        await sandbox.script("docker", 'case "$1" in inspect) echo 172.18.0.2 172.18.0.1 ;; esac');
    });

    it("is created with the addresses of Docker's network if Docker is running", async () => {
        const cluster = await clusterUp(quiet);
        const addresses = { nodeAddress: "172.18.0.2", hostAddress: "172.18.0.1" };
        const kubeconfig = path.join(folder(), "kubeconfig");
        assert.deepEqual(cluster, {
            ...{ name: "dev", kind: "kind", kubeconfig, kubectl },
            ...(process.platform === "linux" ? addresses : {}),
        });
        const create = `create cluster --name static-export-dev --kubeconfig ${kubeconfig} --wait 180s\n`;
        assert.equal(await kindCalls(), create);
    });

    it("is replaced if its API server no longer responds", async () => {
        await clusterUp(quiet);
        await sandbox.script("kubectl", "exit 1");
        assert.equal((await clusterStatus(quiet)).state, "broken");
        await clusterUp(quiet);
        const commands = (await kindCalls()).split("\n").map((line) => line.split(" ")[0]);
        assert.deepEqual(commands, ["create", "delete", "create", ""]);
    });

    it("leaves nothing behind if kind fails, and shows kind's output", async () => {
        await putKind('case $1 in create) echo "ERROR: failed to pull image" >&2; exit 1 ;; esac');
        await assert.rejects(clusterUp(quiet), {
            name: "ClusterError",
            message: "Cluster dev did not start: kind failed.\nERROR: failed to pull image",
        });
        assert.match(await kindCalls(), /^create .*\ndelete cluster --name static-export-dev .*\n$/);
        assert.equal((await clusterStatus(quiet)).state, "absent");
    });

    it("is deleted by clusterDown, together with its folder", async () => {
        await clusterUp(quiet);
        await clusterDown(quiet);
        assert.match(await kindCalls(), /\ndelete cluster --name static-export-dev /);
        await assert.rejects(access(folder()), { code: "ENOENT" });
        assert.deepEqual(await clusterStatus(quiet), { name: "dev", state: "absent", problems: [] });
    });

    it("fails to start if kind was requested explicitly but Docker is not running", async () => {
        await sandbox.script("docker", "exit 1");
        process.env["STATIC_EXPORT_CLUSTER"] = "kind";
        await assert.rejects(clusterUp(quiet), {
            message: "Cluster dev did not start: kind and kubectl must be on PATH, and Docker must be running.",
        });
        assert.equal((await clusterStatus(quiet)).state, "absent");
    });
});

describe("clusterUp", () => {
    Sandbox.use();

    it("refuses names that cannot be part of file and host names", async () => {
        for (const name of ["", "Dev", "a/b", "..", "-a", "a-", "a".repeat(31)]) {
            await assert.rejects(clusterUp({ name }), /^ClusterError: A cluster's name has up to 30/);
        }
    });
});
