import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type FileHandle, open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { removeLeftRuns } from "../../../service/src/processes/left-runs.js";
import { withFolder } from "../../sdk/support/files.js";
import { waitUntil } from "../../wait-until.js";
import { skipWithoutSandbox } from "./support/with-build.js";

/** Has a process in a separate session, which ignores signals; both write to a pipe while they run. */
const command =
    "mkfifo alive; echo begin; " + "{ setsid sh -c 'trap : TERM HUP; sleep 600; sleep 600' & sleep 600; } > alive";

const script = `import { ControlGroups } from "./service/src/processes/control-group.ts";
    import { withBuild } from "./tests/service/builds/support/with-build.ts";
    const [, dataDir, command] = process.argv;
    ControlGroups.open();
    await withBuild({ command, dataDir, onLine: console.log }, ({ error }) => console.log(error));`;

/** Kills a service with a running build. @returns the pipe, which ends with the build's last process */
async function killService(dataDir: string): Promise<FileHandle> {
    const args = ["--import=tsx", "--input-type=module", "-e", script, dataDir, command];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    try {
        for await (const chunk of child.stdout) {
            output += String(chunk);
            if (/^begin$/m.test(output)) {
                break;
            }
        }
        assert.match(output, /^begin$/m);
        const [name] = (await readdir(join(dataDir, "builds"))).filter((each) => !each.endsWith(".lock"));
        // Opens when the build has opened it, too.
        return await open(join(dataDir, "builds", name ?? "", "site", "alive"));
    } finally {
        const exited = once(child, "exit");
        child.kill("SIGKILL");
        await exited;
    }
}

/** The images of file systems that the kernel still has, in a folder. */
async function imagesIn(folder: string): Promise<string[]> {
    const devices = (await readdir("/sys/block")).filter((name) => name.startsWith("loop"));
    const images = devices.map((name) => readFile(`/sys/block/${name}/loop/backing_file`, "utf8").catch(() => ""));
    return (await Promise.all(images)).filter((image) => image.startsWith(folder));
}

describe("A build whose service is killed", function () {
    this.timeout(60_000);

    before(skipWithoutSandbox);

    it("ends with it, and the next process leaves nothing of it", async () => {
        await withFolder(async (dataDir) => {
            const alive = await killService(dataDir);
            // Resolves when no process has the pipe open.
            assert.equal(await alive.readFile("utf8"), "");
            await alive.close();
            const place = join(dataDir, "builds");
            assert.deepEqual(await removeLeftRuns(place), []);
            assert.deepEqual(await readdir(place), []);
            // The kernel frees the file system of the last process a moment later.
            await waitUntil("its file system is gone", async () => (await imagesIn(dataDir)).length === 0);
        });
    });
});
