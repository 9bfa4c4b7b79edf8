import { beginningOf, shownJobStatuses } from "@pulumi-static-export/contract";
import { Argument, Option } from "commander";
import { createClient } from "../../command-line/admin-client.js";
import { type CliCommand } from "../../command-line/cli-command.js";
import { clientNotes, readWholeNumber } from "../../command-line/options.js";
import { formatTable } from "../../command-line/table.js";
import { type JobOptions, jobOptions } from "../../export/job-options.js";
import { runJobCommand } from "../../export/run-job-command.js";
import { type StaticExportRecord } from "@pulumi-static-export/sdk";

interface HistoryOptions extends JobOptions {
    limit: number;
    status?: string;
}

const limitOption = new Option("--limit <count>", "how many, up to 1000")
    .argParser((text) => readWholeNumber(text, 1, 1000))
    .default(20);

/** Lists earlier exports; with the id of an export's job, a deployment can return to that export. */
export const historyCommand: CliCommand = {
    name: "history",
    summary: "List the exports that the self-hosted service still keeps, the newest first.",
    arguments: [new Argument("[domain]", "the domain, such as docs.example.com (default: all domains of the key)")],
    options: [
        ...jobOptions,
        limitOption,
        new Option("--status <status>", "only jobs in this status").choices(shownJobStatuses),
    ],
    exitCodes: {
        0: "the exports were listed",
        1: "the API's answer is invalid",
        5: "a request failed",
    },
    notes:
        `${clientNotes}\nTo go back to an export, set its id as jobId of StaticExportBundle, or as pin of ` +
        "BundleMirror or BucketSite.",
    examples: ["static-export history docs.example.com --limit 5", "static-export history --status failed"],
    run: (domain: string | undefined, { limit, status, json: isJson, ...options }: HistoryOptions) =>
        runJobCommand(createClient(options, process.env), async ({ client, signal }) => {
            const jobs = await client.staticExports.list({ domain, status, limit }, { signal });
            console.log(isJson ? JSON.stringify(jobs, undefined, 2) : describeHistory(domain, jobs));
            return 0;
        }),
};

const headings = ["JOB", "STATUS", "CREATED", "VERSION", "PAGES", "SHA-256", "TOOK", "KEY", "DOMAIN", "ERROR"];
const maxError = 80;

/** The exports as a table for people. */
function describeHistory(domain: string | undefined, jobs: readonly StaticExportRecord[]): string {
    return jobs.length === 0
        ? `There is no ${domain === undefined ? "such export" : `export of ${domain}`}.`
        : formatTable([headings, ...jobs.map(rowOf)]);
}

function rowOf(job: StaticExportRecord): string[] {
    const { jobId, status, createdAt, updatedAt, version, pageCount, sha256, key, domain, error, cancelled } = job;
    const hasEnded = status === "completed" || status === "failed";
    const tookMs = hasEnded ? Date.parse(updatedAt ?? "") - Date.parse(createdAt ?? "") : NaN;
    return [
        jobId,
        cancelled === true && hasEnded ? "cancelled" : status,
        createdAt,
        version,
        pageCount?.toString(),
        // Twelve digits of a digest are enough to compare by eye; --json shows complete digests.
        sha256?.slice(0, 12),
        Number.isNaN(tookMs) ? undefined : `${Math.round(tookMs / 1000)} s`,
        key,
        domain,
        error === undefined || error.length <= maxError ? error : `${beginningOf(error, maxError)}…`,
    ].map((cell) => cell ?? "-");
}
