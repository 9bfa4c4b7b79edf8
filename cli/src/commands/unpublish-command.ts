import { amount } from "@pulumi-static-export/contract";
import { unpublishSite } from "@pulumi-static-export/sdk/publish";
import { Argument, Option } from "commander";
import { type CliCommand } from "../command-line/cli-command.js";
import { jsonOption } from "../command-line/options.js";
import { changeTarget } from "../publish/change-target.js";
import { cdnOptions, type CdnOptions, readPurge } from "../publish/cdn-options.js";
import {
    defaultOwner,
    noPlaceOption,
    openTarget,
    ownerOption,
    placeText,
    storageNotes,
    type TargetOptions,
    targetOptions,
} from "../publish/open-target.js";
import { listPaths } from "../publish/run-publish.js";

interface UnpublishOptions extends TargetOptions, CdnOptions {
    owner?: string;
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
        noPlaceOption("unpublish"),
        ownerOption(),
        ...cdnOptions(),
        new Option("--dry-run", "list what would be removed, and do nothing").default(false),
        jsonOption("the removed paths"),
    ],
    exitCodes: {
        0: "the site was removed",
        1:
            "no site of this owner is there, or the storage or the CDN failed; after a failure of the storage or the " +
            "CDN, run the command again to continue",
        130: "Ctrl-C",
        143: "SIGTERM",
    },
    notes:
        "Files that are not the site's stay. The owner of a BucketSite is PROJECT/STACK/NAME, unless the program " +
        `sets another. ${storageNotes}`,
    examples: ["static-export unpublish s3://docs/site --dry-run", "static-export unpublish s3://docs/site"],
    run: (to: string, options: Omit<UnpublishOptions, "to">) => unpublish({ ...options, to }),
};

async function unpublish(options: UnpublishOptions): Promise<number> {
    const { owner = defaultOwner, dryRun: isDryRun, json: isJson } = options;
    const purge = readPurge(options);
    const target = await openTarget(options);
    return changeTarget(target, "removing", async ({ signal, note: log, onProgress }) => {
        const { steps } = await unpublishSite(target, { owner, isDryRun, signal, purge, log, onProgress });
        const removed = steps.map(({ path }) => path);
        const count = amount(removed.length, "file", "files");
        if (isJson) {
            return JSON.stringify({ place: target.address, removed, isDryRun }, undefined, 2);
        }
        return isDryRun
            ? [...listPaths("remove", removed), `dry run   would remove ${count}`].join("\n")
            : `removed   ${target.address}: ${count}`;
    });
}
