import { unpublishSite } from "@pulumi-static-export/sdk/publish";
import { Argument, Option } from "commander";
import { type CliCommand } from "../command-line/cli-command.js";
import { withInterruption } from "../command-line/interruption.js";
import { jsonOption } from "../command-line/options.js";
import { reportError } from "../export/exit-codes.js";
import { createProgressDisplay } from "../export/progress-display.js";
import { cdnOptions, type CdnOptions, readPurge } from "../publish/cdn-options.js";
import {
    openTarget,
    ownerOption,
    placeText,
    storageNotes,
    type TargetOptions,
    targetOptions,
} from "../publish/open-target.js";
import { listPaths } from "../publish/run-publish.js";

interface UnpublishOptions extends TargetOptions, CdnOptions {
    owner: string;
    dryRun: boolean;
    json?: boolean;
}

/** Removes what `publish` or a `BucketSite` published. */
export const unpublishCommand: CliCommand = {
    name: "unpublish",
    summary: "Remove a published site from its bucket or folder, with all its releases.",
    arguments: [new Argument("<place>", placeText)],
    options: [
        ...targetOptions(),
        ownerOption(),
        ...cdnOptions(),
        new Option("--dry-run", "list what would be removed, and do nothing").default(false),
        jsonOption("the removed paths"),
    ],
    exitCodes: {
        0: "the site was removed",
        1: "no site of this owner is there, or the storage or the CDN failed; run the command again to continue",
        130: "Ctrl-C",
        143: "SIGTERM",
    },
    notes:
        "Files that are not the site's stay. The owner of a BucketSite is PROJECT/STACK/NAME, unless the program sets " +
        `another. ${storageNotes}`,
    examples: ["static-export unpublish s3://docs/site --dry-run", "static-export unpublish s3://docs/site"],
    run: (to: string, options: Omit<UnpublishOptions, "to">) => unpublish({ ...options, to }),
};

async function unpublish(options: UnpublishOptions): Promise<number> {
    const { owner, dryRun: isDryRun, json: isJson } = options;
    const purge = readPurge(options);
    const target = await openTarget(options);
    const display = createProgressDisplay(process.stderr, process.env);
    try {
        const { steps } = await withInterruption(
            (signal) =>
                unpublishSite(target, {
                    ...{ owner, isDryRun, signal, purge },
                    log: (line) => display.note(line),
                    onProgress: ({ doneFiles, totalFiles }) =>
                        display.show(target.address, { status: "removing", progress: (doneFiles / totalFiles) * 100 }),
                }),
            () => display.note("Stopping: recording the progress of this run."),
        );
        display.end();
        const removed = steps.map(({ path }) => path);
        const count = `${removed.length} ${removed.length === 1 ? "file" : "files"}`;
        if (isJson) {
            console.log(JSON.stringify({ place: target.address, removed, isDryRun }, undefined, 2));
        } else if (isDryRun) {
            console.log([...listPaths("remove", removed), `dry run   would remove ${count}`].join("\n"));
        } else {
            console.log(`removed   ${target.address}: ${count}`);
        }
        return 0;
    } catch (error) {
        display.end();
        return reportError(error);
    } finally {
        target.close();
    }
}
