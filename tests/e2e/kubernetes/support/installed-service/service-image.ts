import { join } from "node:path";
import { loadImage } from "@pulumi-static-export/cluster";
import image from "../../../../../dev/image/image.json" with { type: "json" };
import { serviceImageSettings, writeImageFiles } from "../../../../../dev/image/image-files.js";
import { nodeFolder } from "../../../packages/support/npm-cache.js";
import { type LocalCluster } from "../shared-cluster.js";

export const serviceImage = { repository: "static-export.local/service", tag: "1" };

/**
 * Loads the image of charts/static-export-service into a cluster.
 *
 * @param cli - the packed command
 */
export async function loadServiceImage(cluster: LocalCluster, cli: string): Promise<void> {
    const node = join(await nodeFolder(image.node), "node");
    const settings = serviceImageSettings(`${serviceImage.repository}:${serviceImage.tag}`);
    await loadImage(cluster, settings, (root) => writeImageFiles(root, cli, node));
}
