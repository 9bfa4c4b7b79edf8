import assert from "node:assert/strict";
import { access, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { clusterDown } from "../../../dev/cluster/src/cluster-down.js";
import { clusterStatus } from "../../../dev/cluster/src/cluster-status.js";
import { clusterUp } from "../../../dev/cluster/src/cluster-up.js";
import { Sandbox } from "../toolchain/support.js";

const context = "arn:aws:eks/production";

describe("a context of the user's kubeconfig", () => {
    const sandbox = Sandbox.use();
    const putKubectl = (body: string) =>
        sandbox.script("kubectl", `echo "$@" >> ${sandbox.folder}/kubectl.log; ${body}`);
    const answering = 'case "$*" in *config*) echo "kind: Config" ;; *) echo ok ;; esac';
    const copy = () => path.join(sandbox.folder, "cache/clusters/contexts/arn%3Aaws%3Aeks%2Fproduction.yaml");

    it("is used from a private copy without other contexts if its cluster responds", async () => {
        const kubectl = await putKubectl(answering);
        const cluster = await clusterUp({ context });
        assert.deepEqual(cluster, { name: context, kind: "context", kubeconfig: copy(), kubectl });
        assert.equal(await readFile(copy(), "utf8"), "kind: Config");
        assert.equal((await stat(copy())).mode & 0o777, 0o600);
        assert.equal(
            await readFile(path.join(sandbox.folder, "kubectl.log"), "utf8"),
            `--context ${context} get --raw /readyz --request-timeout=10s\n` +
                `--context ${context} config view --minify --flatten --raw\n`,
        );
    });

    it("can be set in the environment", async () => {
        await putKubectl(answering);
        process.env["STATIC_EXPORT_KUBE_CONTEXT"] = context;
        assert.equal((await clusterUp()).kind, "context");
        assert.equal((await clusterStatus()).state, "running");
    });

    it("is refused if its cluster does not respond, without a fallback to another cluster", async () => {
        await putKubectl('echo "error: context \\"x\\" does not exist" >&2; exit 1');
        await assert.rejects(clusterUp({ context }), {
            name: "ClusterError",
            message:
                `Cannot use the context "${context}" of your kubeconfig: error: context "x" does not exist. Check ` +
                "`kubectl config get-contexts`, or leave the context out to get your own cluster.",
        });
    });

    it("requires kubectl", async () => {
        await assert.rejects(clusterUp({ context }), {
            message: `Cannot use the context "${context}": kubectl is not on PATH. Install it, then try again.`,
        });
    });

    it("is not changed by clusterDown, which deletes only the copy", async () => {
        await putKubectl(answering);
        await clusterUp({ context });
        const before = await readFile(path.join(sandbox.folder, "kubectl.log"), "utf8");
        await clusterDown({ context });
        await assert.rejects(access(copy()), { code: "ENOENT" });
        assert.equal(await readFile(path.join(sandbox.folder, "kubectl.log"), "utf8"), before);
    });
});
