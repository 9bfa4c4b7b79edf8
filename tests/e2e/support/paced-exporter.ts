import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Exporter } from "@pulumi-static-export/exporter";

const steps = 100;

/** Runs jobs of a given length with steady progress and no load, so that a spec sees only the clients. */
export function pacedExporter(jobMs: number, bundleBytes = 10): Exporter {
    return {
        async export({ workDir }, control) {
            for (let step = 0; step < steps; step++) {
                control.onProgress((100 * step) / steps, step);
                await delay(jobMs / steps, undefined, { signal: control.signal });
            }
            const archivePath = join(workDir, "bundle.tar.gz");
            const content = Buffer.alloc(bundleBytes, "an archive");
            await writeFile(archivePath, content);
            const sha256 = createHash("sha256").update(content).digest("hex");
            return { archivePath, pageCount: steps, sizeBytes: content.length, sha256 };
        },
    };
}
