import { amount, describeBytes } from "@pulumi-static-export/contract";
import { type FolderExportResult } from "@pulumi-static-export/exporter";
import { type StaticExportDetails, type PlatformExportJob } from "@pulumi-static-export/sdk";
import { nameSome } from "@pulumi-static-export/sdk/publish";
import { describeWarnings } from "./describe-warnings.js";
import { type SavedBundle } from "./save-bundle.js";

/** An export, with or without a job of a service. */
type AnyExport = Partial<PlatformExportJob> &
    Partial<Pick<StaticExportDetails, "domain" | "version" | "key" | "cancelled" | "attempts" | "phases">> & {
        /** Sentences about the data that pages send to third-party services. */
        readonly sends?: readonly string[];
        readonly draftCount?: number;
        readonly leftOut?: FolderExportResult["leftOut"];
    };
/** The result on disk, with more details if it was downloaded. */
type SavedSite = Partial<SavedBundle> & {
    /** The archive for readers without a server. */
    readonly zip?: string;
};

/** An export and its result as a table for people. */
export function describeJob(job: AnyExport, bundle?: SavedSite): string {
    const lines: [string, string | number | undefined][] = [
        ["job", job.jobId],
        ["status", job.cancelled === true ? `${job.status} (cancelled)` : job.status],
        ["domain", job.domain],
        ["version", job.version],
        ["key", job.key],
        ["progress", job.progress === undefined ? undefined : `${job.progress} %`],
        ["pages", job.pageCount],
        ["drafts", job.draftCount === undefined ? undefined : `${job.draftCount} left out`],
        ["left out", job.leftOut && describeLeftOut(job.leftOut)],
        ["commit", job.sourceRef],
        ["created", job.createdAt],
        ["updated", job.updatedAt],
        ["attempts", job.attempts],
        ["took", job.phases?.map(({ name, durationMs }) => `${name} ${(durationMs / 1000).toFixed(1)} s`).join(", ")],
        ["error", job.error],
        ["warnings", job.warnings?.count],
        ["folder", bundle?.folder],
        ["zip", bundle?.zip],
        ["files", bundle?.fileCount],
        ["unpacked", bundle?.unpackedBytes && describeBytes(bundle.unpackedBytes)],
        ["archive", bundle?.sizeBytes && describeBytes(bundle.sizeBytes)],
        ["sha256", bundle?.sha256],
    ];
    const table = lines.filter(([, value]) => value !== undefined).map(([name, value]) => `${name.padEnd(10)}${value}`);
    const sends = (job.sends ?? []).map((sentence) => `sends: ${sentence}`);
    return [...table, ...sends, ...(job.warnings === undefined ? [] : describeWarnings(job.warnings))].join("\n");
}

function describeLeftOut({ count, first }: NonNullable<FolderExportResult["leftOut"]>): string {
    return `${amount(count, "hidden or secret entry", "hidden or secret entries")}: ${nameSome(first)}`;
}

/** Prints the table, or JSON for programs. */
export function printJob(job: AnyExport, isJson: boolean | undefined, bundle?: SavedSite): void {
    console.log(isJson ? JSON.stringify({ ...job, ...bundle }, null, 2) : describeJob(job, bundle));
}
