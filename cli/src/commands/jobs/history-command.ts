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
}

const limitOption = new Option("--limit <count>", "how many, up to 1000")
    .argParser((text) => readWholeNumber(text, 1, 1000))
    .default(20);

/** Lists earlier exports; with the id of an export's job, a deployment can return to that export. */
export const historyCommand: CliCommand = {
    name: "history",
    summary: "List the exports of a domain that the self-hosted service still keeps, the newest first.",
    arguments: [new Argument("<domain>", "the domain, such as docs.example.com")],
    options: [...jobOptions, limitOption],
    exitCodes: {
        0: "the exports were listed",
        1: "the API's answer is invalid",
        5: "a request failed",
    },
    notes: `${clientNotes}\nTo go back to an export: jobId of StaticExportBundle or BundleMirror.`,
    examples: ["static-export history docs.example.com --limit 5"],
    run: (domain: string, { limit, json: isJson, ...options }: HistoryOptions) =>
        runJobCommand(createClient(options, process.env), async ({ client, signal }) => {
            const jobs = await client.staticExports.list(domain, limit, { signal });
            console.log(isJson ? JSON.stringify(jobs, undefined, 2) : describeHistory(domain, jobs));
            return 0;
        }),
};

const headings = ["JOB", "STATUS", "CREATED", "VERSION", "PAGES", "SHA-256"];

/** The exports of a domain as a table for people. */
function describeHistory(domain: string, jobs: readonly StaticExportRecord[]): string {
    if (jobs.length === 0) {
        return `There is no export of ${domain}.`;
    }
    return formatTable([headings, ...jobs.map(rowOf)]);
}

function rowOf({ jobId, status, createdAt, version, pageCount, sha256 }: StaticExportRecord): string[] {
    // Twelve digits of a digest are enough to compare by eye; --json shows complete digests.
    return [jobId, status, createdAt, version, pageCount?.toString(), sha256?.slice(0, 12)].map((cell) => cell ?? "-");
}
