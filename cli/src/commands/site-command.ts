import { amount, siteStates } from "@pulumi-static-export/contract";
import { Argument, Option } from "commander";
import { type AdminClient } from "@pulumi-static-export/sdk";
import { type ClientOptions, createClient } from "../command-line/admin-client.js";
import { type CliCommand, type ExitCodes } from "../command-line/cli-command.js";
import { clientNotes, clientOptions, jsonOption, readWholeNumber } from "../command-line/options.js";
import { formatTable } from "../command-line/table.js";
import { runJobCommand } from "../export/run-job-command.js";

const exitCodes: ExitCodes = { 0: "done", 2: "wrong usage or settings", 5: "a request failed, or was refused" };

interface ReadOptions extends ClientOptions {
    json?: boolean;
}

export const siteCommand: CliCommand = {
    name: "site",
    summary: "Show the sites of the self-hosted service and what they use, and remove the remains of a site.",
    exitCodes,
    notes: clientNotes,
    examples: [
        "static-export site list --state failed",
        "static-export site usage",
        "static-export site statistics --by key --days 30",
        "static-export site remove docs.example.com --purge",
    ],
    subcommands: [
        {
            name: "list",
            summary: "list sites with their last export, those that need attention first",
            options: [
                ...clientOptions,
                new Option("--search <text>", "only domains that contain this text"),
                new Option("--state <state>", "only sites in this state").choices(siteStates),
                jsonOption("the sites"),
            ],
            exitCodes,
            run: ({ search, state, ...options }: ReadOptions & { search?: string; state?: string }) =>
                show(
                    options,
                    ({ sites }, signal) =>
                        sites.list({ ...(search && { search }), ...(state && { state }) }, { signal }),
                    ["DOMAIN", "STATE", "LAST EXPORT", "PAGES", "JOB"],
                    ({ domain, state: current, lastExport }) => [
                        domain,
                        current,
                        lastExport?.updatedAt ?? "-",
                        lastExport === null ? "-" : String(lastExport.pageCount),
                        lastExport?.jobId ?? "-",
                    ],
                ),
        },
        {
            name: "usage",
            summary: "show the storage that the bundles of each domain use, the largest first",
            options: [...clientOptions, jsonOption("the sizes")],
            exitCodes,
            run: (options: ReadOptions) =>
                show(
                    options,
                    ({ sites }, signal) => sites.usage({ signal }),
                    ["DOMAIN", "BUNDLES", "MB"],
                    ({ domain, bundles, bytes }) => [domain, String(bundles), (bytes / 1e6).toFixed(1)],
                ),
        },
        {
            name: "statistics",
            summary: "count exports, failures and pages of each site or key",
            options: [
                ...clientOptions,
                new Option("--by <what>", "what to count by").choices(["site", "key"]).default("site"),
                new Option("--days <days>", "how many days to count, up to 90")
                    .argParser((text) => readWholeNumber(text, 1, 90))
                    .default(7),
                jsonOption("the counts"),
            ],
            exitCodes,
            run: ({ by, days, ...options }: ReadOptions & { by: "site" | "key"; days: number }) =>
                show(
                    options,
                    ({ sites }, signal) => sites.statistics(by, days, { signal }),
                    [by === "site" ? "DOMAIN" : "KEY", "EXPORTS", "FAILED", "PAGES"],
                    ({ name, exports, failed, pages }) => [name, String(exports), String(failed), String(pages)],
                ),
        },
        {
            name: "remove",
            summary: "remove the remaining jobs and bundles of a site that was removed from the service",
            arguments: [new Argument("<domain>", "the domain, such as docs.example.com")],
            options: [
                ...clientOptions,
                new Option(
                    "--purge",
                    "required, because nothing can undo the removal: links to the site's bundles stop working",
                ).makeOptionMandatory(),
            ],
            exitCodes,
            run: (domain: string, options: ClientOptions) =>
                runJobCommand(createClient(options, process.env), async ({ client, signal }) => {
                    const { removedJobs, runningJobs } = await client.sites.remove(domain, { signal });
                    const jobs = amount(removedJobs, "job", "jobs");
                    console.log(`Removed ${jobs} of ${domain}. Their bundles follow within ten minutes.`);
                    if (runningJobs.length > 0) {
                        console.error(
                            `These jobs stop within seconds: ${runningJobs.join(", ")}. Repeat the command to remove them.`,
                        );
                    }
                    return 0;
                }),
        },
    ],
};

/** Prints a list as a table or as JSON. */
function show<Row>(
    { json: isJson, ...options }: ReadOptions,
    read: (client: AdminClient, signal: AbortSignal) => Promise<Row[]>,
    headings: readonly string[],
    toCells: (row: Row) => string[],
): Promise<number> {
    return runJobCommand(createClient(options, process.env), async ({ client, signal }) => {
        const rows = await read(client, signal);
        console.log(isJson ? JSON.stringify(rows, undefined, 2) : formatTable([headings, ...rows.map(toCells)]));
        return 0;
    });
}
