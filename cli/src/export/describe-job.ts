import { type StaticExportJob } from "@pulumi-static-export/sdk";
import { type SavedBundle } from "./save-bundle.js";

/** A job and its result as a table for people. */
export function describeJob(job: StaticExportJob, bundle?: SavedBundle): string {
    const lines: [string, string | number | undefined][] = [
        ["job", job.jobId],
        ["status", job.status],
        ["progress", job.progress === undefined ? undefined : `${job.progress} %`],
        ["pages", job.pageCount],
        ["created", job.createdAt],
        ["updated", job.updatedAt],
        ["error", job.error],
        ["folder", bundle?.folder],
        ["files", bundle?.fileCount],
        ["unpacked", bundle && `${bundle.unpackedBytes} bytes`],
        ["archive", bundle && `${bundle.sizeBytes} bytes`],
        ["sha256", bundle?.sha256],
    ];
    return lines
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name.padEnd(10)}${value}`)
        .join("\n");
}

/** The same for programs. */
export function printJob(job: StaticExportJob, isJson: boolean | undefined, bundle?: SavedBundle): void {
    console.log(isJson ? JSON.stringify({ ...job, ...bundle }, null, 2) : describeJob(job, bundle));
}
