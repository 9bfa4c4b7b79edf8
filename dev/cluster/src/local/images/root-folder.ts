import { mkdir, symlink } from "node:fs/promises";
import path from "node:path";

/** Folders that modern Debian and Ubuntu merged into `/usr`; packages still ship files under both paths. */
const mergedFolders = ["bin", "sbin", "lib", "lib64"];

/** Creates the skeleton of a root folder, for Debian packages or for single files of these packages. */
export async function createRootFolder(root: string): Promise<void> {
    await mkdir(path.join(root, "usr"), { recursive: true });
    for (const folder of mergedFolders) {
        await mkdir(path.join(root, "usr", folder));
        await symlink(path.join("usr", folder), path.join(root, folder));
    }
}
