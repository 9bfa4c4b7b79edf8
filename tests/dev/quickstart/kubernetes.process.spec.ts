import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import path from "node:path";
import { runOnKubernetes } from "../../../dev/quickstart/src/kubernetes.js";
import { assertPodsWillReachUs, hostAddressOf } from "../../../dev/quickstart/src/pods-reach-us.js";
import { QuickstartFolder } from "../../../dev/quickstart/src/quickstart-folder.js";
import { Sandbox } from "../toolchain/support.js";

describe("npm run quickstart -- --kubernetes", () => {
    const sandbox = Sandbox.use();
    const { platform } = process;
    const setPlatform = (value: string) => Object.defineProperty(process, "platform", { value });

    beforeEach(async () => {
        delete process.env["STATIC_EXPORT_KUBE_CONTEXT"];
        for (const program of ["kind", "kubectl", "docker"]) {
            await sandbox.script(program, `echo ${program} "$@" >> ${sandbox.folder}/calls; echo "kind: Config"`);
        }
    });
    afterEach(() => setPlatform(platform));

    const run = () => {
        const folder = new QuickstartFolder(sandbox.folder);
        const settings = { adminApiKey: "k", passphrase: "p", servicePort: 1, sitePort: 2 };
        const { signal } = new AbortController();
        return runOnKubernetes(folder, settings, { exit: true, kubernetes: true, bucket: false, reset: false, signal });
    };
    const assertUntouched = async () => {
        await assert.rejects(readFile(path.join(sandbox.folder, "calls")), { code: "ENOENT" });
        await assert.rejects(access(path.join(sandbox.folder, "cache")), { code: "ENOENT" });
    };

    it("rejects the user's own cluster before sending a request, and copies no credentials", async () => {
        process.env["STATIC_EXPORT_KUBE_CONTEXT"] = "production";
        await assert.rejects(run(), {
            message:
                /cannot use the context "production", which STATIC_EXPORT_KUBE_CONTEXT names: .* Unset the variable/,
        });
        await assertUntouched();
    });

    it("rejects systems other than Linux, before kind creates a cluster", async () => {
        setPlatform("darwin");
        await assert.rejects(run(), { message: /only on Linux, but this is darwin: .* Leave out --kubernetes/ });
        await assertUntouched();
    });

    it("accepts a cluster that it creates on Linux", () => {
        process.env["STATIC_EXPORT_KUBE_CONTEXT"] = "";
        assertPodsWillReachUs("linux");
    });

    it("reports that the pods of a kind cluster in another Docker network cannot reach this machine", () => {
        assert.throws(() => hostAddressOf({ name: "local" }), {
            message: /^Cluster local does not have kind's network/,
        });
        assert.equal(hostAddressOf({ name: "local", hostAddress: "10.233.0.1" }), "10.233.0.1");
    });
});
