import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../../cli/support/command.js";
import { Windows } from "./support/windows.js";

const guide = fileURLToPath(new URL("../../../docs", import.meta.url));

describe("Windows, under Wine", function () {
    this.timeout(15 * 60_000);
    let windows: Windows;
    let folder: string;

    before(async function () {
        windows = await Windows.install(this);
    });
    after(() => windows?.remove());
    beforeEach(async () => {
        folder = await mkdtemp(join(windows.drive, "work-"));
    });

    const succeeds = async (...args: string[]) => {
        const { exitCode, output } = await windows.command(args, { cwd: folder });
        assert.equal(exitCode, 0, output);
        return output;
    };

    it("builds the same bytes as this machine: the guide", async () => {
        await cp(guide, join(folder, "docs"), { recursive: true });
        await mkdir(join(folder, "there"));
        await mkdir(join(folder, "here"));
        const build = (to: string) => [
            ...["build", "docs", "--domain", "docs.example.com"],
            ...["--output", `${to}/site`, "--zip", `${to}/site.zip`],
        ];
        await succeeds(...build("there"));
        const { exitCode, stderr } = await run(folder, build("here"));
        assert.equal(exitCode, 0, stderr);
        const [there, here] = [await digestsIn(join(folder, "there")), await digestsIn(join(folder, "here"))];
        assert.ok(Object.keys(here).length > 300, String(Object.keys(here).length));
        assert.deepEqual(there, here);
    });
});

/** Returns the digest of each file. */
async function digestsIn(folder: string): Promise<Record<string, string>> {
    const digests: Record<string, string> = {};
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        if (entry.isFile()) {
            const file = join(entry.parentPath, entry.name);
            digests[relative(folder, file)] = createHash("sha256")
                .update(await readFile(file))
                .digest("hex");
        }
    }
    return digests;
}
