import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { ensureDebianPackages } from "../../../dev/toolchain/src/debian-packages.js";
import { Sandbox } from "./support.js";

const quiet = { onProgress: () => undefined };

describe("ensureDebianPackages", () => {
    const sandbox = Sandbox.use();
    const { getuid } = process;
    beforeEach(async () => {
        process.getuid = () => 0;
        await sandbox.script(
            "dpkg-query",
            `for name; do :; done
             case $name in runc) printf installed;; conntrack) printf config-files;; *) exit 1;; esac`,
        );
    });
    afterEach(() => {
        process.getuid = getuid!;
    });
    const aptGetLog = () => readFile(path.join(sandbox.folder, "apt-get.log"), "utf8");
    const putAptGet = (body = "") => sandbox.script("apt-get", `echo "$@" >> ${sandbox.folder}/apt-get.log; ${body}`);

    it("installs only missing packages, including removed packages", async () => {
        await putAptGet();
        await ensureDebianPackages(["runc", "etcd-server", "conntrack"], quiet);
        assert.equal(await aptGetLog(), "update\ninstall --yes --no-install-recommends etcd-server conntrack\n");
    });

    it("runs one apt-get at a time, because a second one fails instead of waiting", async () => {
        const lock = path.join(sandbox.folder, "apt-lists");
        await putAptGet(`mkdir ${lock} && sleep 0.1 && rmdir ${lock}`);
        await Promise.all([ensureDebianPackages(["etcd-server"], quiet), ensureDebianPackages(["conntrack"], quiet)]);
        assert.equal((await aptGetLog()).split("\n").filter((line) => line.startsWith("install")).length, 2);
    });

    it("prints the command to run if the user is not root", async () => {
        await putAptGet();
        process.getuid = () => 1000;
        await assert.rejects(ensureDebianPackages(["runc", "etcd-server", "socat"], quiet), {
            name: "ToolUnavailableError",
            message:
                "Cannot get Debian's etcd-server and socat: only root may install them. " +
                "Run `sudo apt-get install --yes --no-install-recommends etcd-server socat`, then run this again.",
        });
        await assert.rejects(aptGetLog(), { code: "ENOENT" });
    });
});
