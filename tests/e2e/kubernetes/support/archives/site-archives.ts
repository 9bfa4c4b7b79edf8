import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Exporter, type ExportRequest } from "@pulumi-static-export/exporter";
import { archive } from "../../../../charts/support/archives.js";

/** Creates an exporter for the real service that packs a spec's files, and ignores the site's folder. */
export function exporterOf(archiveFor: (request: ExportRequest) => Promise<Buffer>): Exporter {
    return {
        async export(request) {
            const content = await archiveFor(request);
            const archivePath = join(request.workDir, "site.tar.gz");
            await writeFile(archivePath, content);
            const sha256 = createHash("sha256").update(content).digest("hex");
            return { archivePath, sha256, sizeBytes: content.length, pageCount: 2 };
        },
    };
}

/** Returns the files of one version's site. Each file is long enough for several packets, and contains the version. */
export function siteFiles(version: string): Record<string, string> {
    const body = `<p>This is version ${version}.</p>\n`.repeat(2000);
    return {
        "/index.html": `<!doctype html><title>Welcome</title><link rel="stylesheet" href="/assets/site.css">\n${body}`,
        "/guides/start.html": `<!doctype html><title>Start</title>\n${body}`,
        "/assets/site.css": `/* ${version} */ body { margin: 0 }\n`.repeat(1000),
        "/404.html": `<!doctype html><title>Not found</title>\n${body}`,
    };
}

export function siteArchive(version: string): Promise<Buffer> {
    return archive(Object.entries(siteFiles(version)).map(([name, content]) => ({ name: name.slice(1), content })));
}
