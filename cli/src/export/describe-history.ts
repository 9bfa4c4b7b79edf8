import { type StaticExportRecord } from "@pulumi-static-export/sdk";

const headings = ["JOB", "STATUS", "CREATED", "VERSION", "PAGES", "SHA-256"];

/** The exports of a domain as a table for people. */
export function describeHistory(domain: string, jobs: readonly StaticExportRecord[]): string {
    if (jobs.length === 0) {
        return `There is no export of ${domain}.`;
    }
    const rows = [headings, ...jobs.map(rowOf)];
    const widths = headings.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
    return rows
        .map((row) =>
            row
                .map((cell, column) => cell.padEnd(widths[column] ?? 0))
                .join("  ")
                .trimEnd(),
        )
        .join("\n");
}

function rowOf({ jobId, status, createdAt, version, pageCount, sha256 }: StaticExportRecord): string[] {
    // As git shortens digests: enough to compare by eye; --json has all of it.
    return [jobId, status, createdAt, version, pageCount?.toString(), sha256?.slice(0, 12)].map((cell) => cell ?? "-");
}
