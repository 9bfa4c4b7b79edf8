import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../../", import.meta.url));

/**
 * No release contains the service yet. When a second file of the schema is added, this becomes the last commit before
 * it, which has to work with that schema; later, the tag of the previous release.
 */
const previous: string = "";

/** Returns whether there is a previous release, and this checkout's history contains it. */
export async function hasPreviousRelease(): Promise<boolean> {
    return (
        previous !== "" &&
        run("git", ["cat-file", "-e", `${previous}^{commit}`], { cwd: root }).then(
            () => true,
            () => false,
        )
    );
}

/**
 * Compiles the previous release in an empty folder, with its own dependencies, which npm installs.
 *
 * @returns its `static-export.js`
 */
export async function buildPreviousRelease(folder: string): Promise<string> {
    const archive = spawn("git", ["archive", previous], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
    const unpack = spawn("tar", ["-x", "-C", folder], { stdio: [archive.stdout, "inherit", "inherit"] });
    const [exitCode] = (await once(unpack, "exit")) as [number | null];
    assert.equal(exitCode, 0);
    await run(process.execPath, [join("dev", "toolchain", "bootstrap.mjs")], { cwd: folder });
    return join(folder, "cli", "bin", "static-export.js");
}
