import {
    type ExportControl,
    type Exporter,
    type ExportRequest,
    type ExportResult,
} from "@pulumi-static-export/exporter";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { EventEmitter } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Writes the given bytes as the archive of a job. */
async function writeArchive({ workDir }: ExportRequest, content: Buffer, pageCount: number): Promise<ExportResult> {
    const archivePath = join(workDir, "bundle.tar.gz");
    await writeFile(archivePath, content);
    const sha256 = createHash("sha256").update(content).digest("hex");
    return { archivePath, pageCount, sizeBytes: content.length, sha256 };
}

/**
 * An exporter whose archive contains only the site's `index.md`, for specs that do not depend on an export's content.
 */
export const copyingExporter: Exporter = {
    async export(request) {
        return writeArchive(request, await readFile(join(request.sourceDir, "index.md")), 1);
    },
};

interface ScriptedExport {
    request: ExportRequest;
    control: ExportControl;
    /** @param changes - to the result that the service gets */
    complete(content?: string | Buffer, changes?: Partial<ExportResult>): Promise<void>;
    fail(error: Error): void;
}

/** An exporter whose jobs run until the spec ends them; `begun` lists the jobs in the order of their starts. */
export class ScriptedExporter implements Exporter {
    readonly begun: ScriptedExport[] = [];
    closed = false;
    readonly #events = new EventEmitter();

    async export(request: ExportRequest, control: ExportControl): Promise<ExportResult> {
        control.signal.throwIfAborted();
        return new Promise((resolve, reject) => {
            control.signal.addEventListener("abort", () => reject(control.signal.reason as Error));
            this.begun.push({
                request,
                control,
                complete: async (content = "archive", changes = {}) =>
                    resolve({ ...(await writeArchive(request, Buffer.from(content), 3)), ...changes }),
                fail: reject,
            });
            this.#events.emit("begun");
        });
    }

    /** Waits for the `count`th export to begin, and returns it. */
    async nth(count: number): Promise<ScriptedExport> {
        for (;;) {
            const found = this.begun[count - 1];
            if (found !== undefined) {
                return found;
            }
            await once(this.#events, "begun");
        }
    }

    close(): Promise<void> {
        this.closed = true;
        return Promise.resolve();
    }
}
