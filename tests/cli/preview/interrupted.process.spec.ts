import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startCommand } from "../../e2e/support/run-command.js";
import { withFolder } from "../support/command.js";

const bin = fileURLToPath(new URL("../../../cli/bin/static-export.js", import.meta.url));

describe("A preview that is interrupted", function () {
    this.timeout(60_000);

    it("removes its files and exits with 130, however often Ctrl-C is pressed until then", () =>
        withFolder(async (folder) => {
            const TMPDIR = join(folder, "tmp");
            await mkdir(TMPDIR);
            await writeFile(join(folder, "Pulumi.yaml"), "name: docs\nruntime: nodejs\n");
            const pulumi = "#!/bin/sh\ntrap 'exit 255' INT\necho running\nwhile :; do sleep 0.05; done\n";
            await writeFile(join(folder, "pulumi"), pulumi, { mode: 0o755 });
            const env = { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, TMPDIR };
            const running = startCommand(process.execPath, [bin, "preview", "--stack", "dev"], { cwd: folder, env });
            await running.seen(/running/);
            const pressed = setInterval(() => running.child.kill("SIGINT"), 1);
            await running.seen(/The preview was interrupted: there is no report/).finally(() => clearInterval(pressed));
            const { exitCode, stdout } = await running.result;
            // A Ctrl-C that comes while Node.js already exits ends it as a signal does.
            assert.deepEqual([exitCode ?? 130, stdout], [130, ""]);
            assert.deepEqual(await readdir(TMPDIR), []);
        }));
});
