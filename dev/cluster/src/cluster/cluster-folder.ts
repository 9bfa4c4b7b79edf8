import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { cacheFolder } from "@pulumi-static-export/toolchain";
import { ClusterError } from "./cluster-error.js";

/** Returns the folder that contains a cluster's files while the cluster is up. */
export function clusterFolder(name: string): string {
    return path.join(cacheFolder(), "clusters", name);
}

/** Checks a cluster's name, which becomes a part of file, host and container names. */
export function assertClusterName(name: string): void {
    if (!/^[a-z]([a-z0-9-]{0,28}[a-z0-9])?$/.test(name)) {
        throw new ClusterError(
            `A cluster's name has up to 30 lower-case letters, digits and dashes, starts with a letter, and does not ` +
                `end with a dash; got "${name}".`,
        );
    }
}

/** Atomically writes a file that only this user can read, and creates its parent folders. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
}

/** Removes a cluster's folder, unless something is mounted in it: removing it would also delete the mounted files. */
export async function removeClusterFolder(folder: string): Promise<void> {
    const mounts = (await readFile("/proc/self/mountinfo", "utf8").catch(() => "")).split("\n");
    const mounted = mounts.map((line) => line.split(" ")[4]).find((point) => point?.startsWith(`${folder}/`));
    if (mounted !== undefined) {
        throw new ClusterError(
            `Cannot remove ${folder}: something is mounted at ${mounted}. Unmount it, then try again.`,
        );
    }
    await rm(folder, { recursive: true, force: true });
}
