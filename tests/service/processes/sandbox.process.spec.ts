import assert from "node:assert/strict";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Sandbox } from "../../../service/src/processes/sandbox.js";
import { withFolder } from "../../sdk/support/files.js";

const folders = {
    checkout: "/data/run/checkout",
    home: "/data/run/home",
    temporary: "/data/run/tmp",
    readOnly: ["/data/docs.git/objects"],
};

/** Opens the sandbox with this script instead of bubblewrap. */
async function openWith(bubblewrap: string): Promise<Sandbox> {
    let sandbox: Sandbox | undefined;
    await withFolder(async (folder) => {
        await writeFile(join(folder, "bwrap"), `#!/bin/sh\n${bubblewrap}\n`);
        await chmod(join(folder, "bwrap"), 0o755);
        sandbox = Sandbox.open("/usr/bin/agent", { PATH: folder });
    });
    assert.ok(sandbox);
    return sandbox;
}

describe("The sandbox of agents", () => {
    it("mounts a separate /proc if the system allows it, and otherwise the container's /proc", async () => {
        const own = (await openWith("exit 0")).wrap(["/usr/bin/agent"], folders).join(" ");
        assert.match(own, / --proc \/proc /);
        const isNewProc = 'case "$*" in *"--proc /proc"*) exit 1 ;; esac';
        const shared = (await openWith(isNewProc)).wrap(["/usr/bin/agent"], folders).join(" ");
        assert.match(shared, / --ro-bind \/proc \/proc /);
        assert.doesNotMatch(shared, /--proc/);
    });

    it("names at startup the settings to change if the system forbids sandboxes", async () => {
        await assert.rejects(openWith("echo 'bwrap: No permissions to create new namespace.' >&2; exit 1"), {
            name: "ServiceOptionsError",
            message:
                /^The agents' sandbox cannot be used here: bwrap: No permissions .*Allow user namespaces.*On Kubernetes, .*"In a sandbox"\.$/,
        });
    });

    it("reports at startup that bubblewrap is missing", () => {
        assert.throws(
            () => Sandbox.open("/usr/bin/agent", { PATH: "/nowhere" }),
            /needs bubblewrap.*ENOENT.*apt install bubblewrap/s,
        );
    });
});
