import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../../", import.meta.url));

/**
 * No release contains the service yet, so this is the first commit that accepts the schema of later releases, and has
 * to work with the current schema. Replace this commit with the tag of the previous release when there is one.
 */
const previous = "555074ab39d8da0fdc8a646521ed2dfb223a054a";

/** Returns whether this checkout's history contains the previous release. */
export function hasPreviousRelease(): Promise<boolean> {
    return run("git", ["cat-file", "-e", `${previous}^{commit}`], { cwd: root }).then(
        () => true,
        () => false,
    );
}

/**
 * Compiles the previous release in an empty folder, with this checkout's dependencies.
 *
 * @returns its `static-export.js`
 */
export async function buildPreviousRelease(folder: string): Promise<string> {
    const archive = spawn("git", ["archive", previous], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
    const unpack = spawn("tar", ["-x", "-C", folder], { stdio: [archive.stdout, "inherit", "inherit"] });
    const [exitCode] = (await once(unpack, "exit")) as [number | null];
    assert.equal(exitCode, 0);
    await linkDependencies(folder);
    await run(process.execPath, [join("dev", "toolchain", "bootstrap.mjs")], { cwd: folder });
    return join(folder, "cli", "bin", "static-export.js");
}

async function linkDependencies(folder: string): Promise<void> {
    const [from, to] = [join(root, "node_modules"), join(folder, "node_modules")];
    const own = "@pulumi-static-export";
    await mkdir(join(to, own), { recursive: true });
    for (const name of await readdir(from)) {
        if (name !== own && name !== ".package-lock.json") {
            await symlink(join(from, name), join(to, name));
        }
    }
    for (const name of ["cli", "contract", "exporter", "sdk", "service"]) {
        await symlink(join(folder, name), join(to, own, name));
    }
    // This file is newer than package-lock.json, so that npm installs nothing.
    const installed = join(to, ".package-lock.json");
    await writeFile(installed, "{}");
}
