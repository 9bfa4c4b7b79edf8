import { type ComparedSite, SiteCollector } from "@pulumi-static-export/exporter/compare";
import { readPrivateFiles } from "@pulumi-static-export/sdk";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/**
 * Reads the unpacked site in `folder`.
 *
 * @throws BundleError when its access.json is unusable
 */
export async function readSite(folder: string, signal?: AbortSignal): Promise<ComparedSite> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
    const site = new SiteCollector();
    for (const file of files) {
        signal?.throwIfAborted();
        site.add(file, site.needs(file) ? await readFile(join(folder, file), "utf8") : undefined);
    }
    const privateFiles = new Set<string>();
    for await (const { file } of readPrivateFiles(folder)) {
        privateFiles.add(file);
    }
    return site.finish(privateFiles);
}
