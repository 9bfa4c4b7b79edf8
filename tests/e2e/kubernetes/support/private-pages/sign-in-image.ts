import { cp } from "node:fs/promises";
import { join } from "node:path";
import { loadImage } from "@pulumi-static-export/cluster";
import { ensureTool } from "@pulumi-static-export/toolchain";
import { type LocalCluster } from "../shared-cluster.js";

export const signInImage = { repository: "static-export.local/oauth2-proxy", tag: "1", pullPolicy: "Never" };

/** Loads oauth2-proxy into a cluster. Like the official image, the image contains only the program. */
export async function loadSignInImage(cluster: LocalCluster): Promise<void> {
    const program = await ensureTool("oauth2-proxy");
    const settings = {
        reference: `${signInImage.repository}:${signInImage.tag}`,
        user: "65532:65532",
        entrypoint: ["/bin/oauth2-proxy"],
        command: [],
        stopSignal: "SIGTERM",
    };
    await loadImage(cluster, settings, (root) => cp(program, join(root, "bin", "oauth2-proxy"), { dereference: true }));
}
