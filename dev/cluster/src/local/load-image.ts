import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { type Cluster } from "../cluster/cluster.js";
import { archiveImage, imageRootOf, type ImageSettings } from "./images/archive-image.js";
import { importCommand, suitableSnapshotter } from "./images/containerd.js";
import { createRootFolder } from "./images/root-folder.js";
import { findLocalNode } from "./network/local-node.js";

/**
 * Builds an image, and makes it available to the pods of a local cluster until the cluster is removed.
 *
 * @param fill - puts the image's files into its root folder, which contains only the empty system folders
 * @throws {ClusterError} for a cluster of another kind
 */
export async function loadImage(
    cluster: Cluster,
    settings: ImageSettings,
    fill: (rootFolder: string) => Promise<void>,
): Promise<void> {
    const { stateFolder, run } = await findLocalNode(cluster);
    const folder = await mkdtemp(path.join(stateFolder, "var", "tmp", "image-"));
    const inside = `/var/tmp/${path.basename(folder)}`;
    try {
        await createRootFolder(imageRootOf(folder));
        await fill(imageRootOf(folder));
        await archiveImage(settings, { folder, inside, run }, path.join(folder, "image.tar"));
        await run(importCommand(settings, `${inside}/image.tar`, await suitableSnapshotter(stateFolder)));
    } finally {
        await rm(folder, { recursive: true, force: true });
    }
}
