import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../../", import.meta.url));

/**
 * No release contains the service yet, so this is the last commit before the newest change of the schema, and has to
 * work with that schema. Replace this commit with the tag of the previous release when there is one.
 */
const previous = "06ea806fe55268e916f8820dee5f6f3aceb3b16f";

/** Returns whether this checkout's history contains the previous release. */
export function hasPreviousRelease(): Promise<boolean> {
    return run("git", ["cat-file", "-e", `${previous}^{commit}`], { cwd: root }).then(
        () => true,
        () => false,
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
