import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { ensureKubernetesProvider } from "../../../dev/toolchain/src/kubernetes-provider.js";
import { Sandbox } from "./support.js";

const name = "pulumi-resource-kubernetes";
const quiet = { onProgress: () => undefined };

describe("ensureKubernetesProvider", () => {
    const sandbox = Sandbox.use();

    /** Writes a fake engine whose `plugin install` runs the script `install`. */
    const putEngine = (install: string) =>
        sandbox.script("pulumi", `if [ "$1" = version ]; then echo v3.300.0; else ${install}; fi`);

    it("prefers the provider on PATH", async () => {
        await putEngine("exit 1");
        const onPath = await sandbox.script(name, "");
        assert.equal(await ensureKubernetesProvider(quiet), onPath);
    });

    it("lets the engine download the official provider into the cache once", async () => {
        await putEngine(
            `test "$*" = "plugin install resource kubernetes 4.34.2" || exit 1
             mkdir -p $PULUMI_HOME/plugins/resource-kubernetes-v4.34.2
             cp /bin/echo $PULUMI_HOME/plugins/resource-kubernetes-v4.34.2/${name}`,
        );
        const provider = await ensureKubernetesProvider(quiet);
        assert.equal(execFileSync(provider, ["served"], { encoding: "utf8" }), "served\n");
        assert.deepEqual(await readdir(sandbox.tools), [path.basename(path.dirname(provider))]);

        await putEngine("exit 1");
        assert.equal(await ensureKubernetesProvider(quiet), provider);
    });

    it("reports in one sentence why each attempt failed, and suggests a fix", async () => {
        await putEngine("echo 'error: failed all 5 attempts' >&2; exit 1");
        await assert.rejects(ensureKubernetesProvider(quiet), {
            name: "ToolUnavailableError",
            message:
                "Cannot get the Kubernetes provider: none is on PATH, the official download failed " +
                "(failed all 5 attempts), and Go is not installed. " +
                "Install Go 1.26 or later, or run this once with access to the internet.",
        });
        assert.deepEqual(await readdir(sandbox.tools), []);
    });
});
