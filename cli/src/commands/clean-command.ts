import { amount } from "@pulumi-static-export/contract";
import { cleanSite, publishRules } from "@pulumi-static-export/sdk/publish";
import { Argument, Option } from "commander";
import { type CliCommand } from "../command-line/cli-command.js";
import { jsonOption, wholeNumberIn } from "../command-line/options.js";
import { changeTarget } from "../publish/change-target.js";
import { cdnOptions, type CdnOptions, readPurge } from "../publish/cdn-options.js";
import {
    noPlaceOption,
    openTarget,
    placeText,
    storageNotes,
    type TargetOptions,
    targetOptions,
} from "../publish/open-target.js";
import { describeLater, listPaths } from "../publish/run-publish.js";

interface CleanOptions extends TargetOptions, CdnOptions {
    graceSeconds?: number;
    dryRun: boolean;
    json?: boolean;
}

/** Removes what `publish` or a `BucketSite` left for readers of earlier pages. */
export const cleanCommand: CliCommand = {
    name: "clean",
    summary: "Remove a published site's files that no release needs, once their grace period has passed.",
    arguments: [new Argument("<place>", placeText)],
    options: [
        ...targetOptions(),
        noPlaceOption("clean"),
        new Option(
            "--grace-seconds <seconds>",
            "how long such files stay; 0 removes them now (default: as published)",
        ).argParser(wholeNumberIn(publishRules.graceSeconds)),
        ...cdnOptions(),
        new Option("--dry-run", "list what would be removed, and do nothing").default(false),
        jsonOption("the removed paths"),
    ],
    exitCodes: {
        0: "everything that was due was removed",
        1:
            "no site is live there, or the storage or the CDN failed; after a failure of the storage or the CDN, run " +
            "the command again to continue",
        130: "Ctrl-C",
        143: "SIGTERM",
    },
    notes: `The command publishes nothing, so a schedule can run it. ${storageNotes}`,
    examples: ["static-export clean s3://docs/site", "static-export clean s3://docs/site --grace-seconds 0 --dry-run"],
    run: (to: string, options: Omit<CleanOptions, "to">) => clean({ ...options, to }),
};

async function clean(options: CleanOptions): Promise<number> {
    const { graceSeconds, dryRun: isDryRun, json: isJson } = options;
    const purge = readPurge(options);
    const target = await openTarget(options);
    return changeTarget(target, "cleaning", async ({ signal, note: log, onProgress }) => {
        const request = { graceSeconds, isDryRun, signal, purge, log, onProgress };
        const { steps, refused, removalDueAtMs } = await cleanSite(target, request);
        const left = new Set(refused?.paths);
        const removed = steps.flatMap(({ path }) => (left.has(path) ? [] : path));
        const removalDueAt = removalDueAtMs === undefined ? undefined : new Date(removalDueAtMs).toISOString();
        if (isJson) {
            const place = target.address;
            return JSON.stringify({ place, removed, notRemoved: [...left], removalDueAt, isDryRun }, undefined, 2);
        }
        if (refused !== undefined) {
            throw refused.error;
        }
        const count = amount(removed.length, "file", "files");
        const later = describeLater(target, removalDueAt);
        return isDryRun
            ? [...listPaths("remove", removed), `dry run   would remove ${count}`, ...later].join("\n")
            : [`removed   ${target.address}: ${count}`, ...later].join("\n");
    });
}
