import { cp } from "node:fs/promises";
import { join } from "node:path";
import { loadImage } from "@pulumi-static-export/cluster";
import image from "../../../../../dev/image/image.json" with { type: "json" };
import { serviceImageSettings, writeImageFiles } from "../../../../../dev/image/image-files.js";
import { slowExportsFile } from "../../../../support/slow-exports.js";
import { nodeFolder } from "../../../packages/support/npm-cache.js";
import { type LocalCluster } from "../shared-cluster.js";

/** The file in the image that makes exports slow. */
export const slowExportsInImage = "/slow-exports.mjs";

export const serviceImage = { repository: "static-export.local/service", tag: "1" };

/**
 * Loads the image of charts/static-export-service into a cluster.
 *
 * @param cli - the packed command
 */
export async function loadServiceImage(cluster: LocalCluster, cli: string, tag = serviceImage.tag): Promise<void> {
    const node = join(await nodeFolder(image.node), "node");
    const settings = serviceImageSettings(`${serviceImage.repository}:${tag}`);
    await loadImage(cluster, settings, async (root) => {
        await writeImageFiles(root, cli, node);
        await cp(slowExportsFile, join(root, slowExportsInImage));
    });
}
