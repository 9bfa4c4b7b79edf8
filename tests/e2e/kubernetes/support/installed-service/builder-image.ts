import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import which from "which";
import { loadImage } from "@pulumi-static-export/cluster";
import { addFile } from "../image-files.js";
import { type LocalCluster } from "../shared-cluster.js";

export const builderImage = { repository: "static-export.local/builder", tag: "1" };

const applets = [
    "cat",
    "dd",
    "dirname",
    "echo",
    "env",
    "id",
    "mkdir",
    "mv",
    "sed",
    "sh",
    "sleep",
    "test",
    "true",
    "uname",
];

/**
 * Loads an image for builds into a cluster, as an operator has one: without the `static-export` command.
 * @param addPrograms adds further programs to the root folder of the image
 */
export async function loadBuilderImage(
    cluster: LocalCluster,
    addPrograms: (root: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
    const settings = {
        reference: `${builderImage.repository}:${builderImage.tag}`,
        user: "1000:1000",
        command: ["sh"],
        stopSignal: "SIGTERM",
    };
    await loadImage(cluster, settings, async (root) => {
        // Debian's busybox is statically linked, so it needs no libraries.
        await addFile(root, await which("busybox"), "/usr/bin/busybox");
        for (const applet of applets) {
            await symlink("busybox", join(root, "usr/bin", applet));
        }
        await addPrograms(root);
        for (const folder of ["etc", "tmp", "work"]) {
            await mkdir(join(root, folder), { recursive: true });
        }
    });
}
