import { readRecord, type Release, releaseIdOf, releasesOf } from "@pulumi-static-export/sdk/publish";
import { Argument } from "commander";
import { type CliCommand } from "../command-line/cli-command.js";
import { withInterruption } from "../command-line/interruption.js";
import { jsonOption } from "../command-line/options.js";
import { formatTable } from "../command-line/table.js";
import { reportError } from "../export/exit-codes.js";
import { noPlaceOption, openTarget, placeText, type TargetOptions, targetOptions } from "../publish/open-target.js";

/** Lists what `publish` can make live again. */
export const releasesCommand: CliCommand = {
    name: "releases",
    summary: "List the releases of a published site: the live one, and those that can be made live again.",
    arguments: [new Argument("<place>", placeText)],
    options: [...targetOptions(), noPlaceOption("releases"), jsonOption("the releases")],
    exitCodes: { 0: "the releases were listed", 1: "the storage failed, or its record cannot be used" },
    notes: "To make a release live again: static-export publish --to PLACE --to-release ID.",
    examples: ["static-export releases s3://docs/site"],
    run: (to: string, options: Omit<TargetOptions, "to"> & { json?: boolean }) => listReleases({ ...options, to }),
};

async function listReleases({ json: isJson, ...options }: TargetOptions & { json?: boolean }): Promise<number> {
    const target = await openTarget(options);
    try {
        const { record } = await withInterruption((signal) => readRecord(target, signal));
        const releases = releasesOf(record).map((release) => ({
            ...{ state: release === record?.live ? "live" : "kept", id: releaseIdOf(release), ...release },
        }));
        if (isJson) {
            console.log(JSON.stringify(releases, undefined, 2));
        } else if (releases.length === 0) {
            console.log(`No release is published at ${target.address}.`);
        } else {
            console.log(formatTable([heading, ...releases.map(rowOf)]));
            if (releases.length === 1) {
                console.log(describeNone(record?.keep));
            }
        }
        return 0;
    } catch (error) {
        return reportError(error);
    } finally {
        target.close();
    }
}

/** @param keep - the number of earlier releases that publish keeps */
function describeNone(keep = 0): string {
    return keep === 0
        ? "No earlier release is kept: publish with --keep, such as --keep 3, keeps the live one."
        : `There is no earlier release yet: the next publish keeps the live one, and later ones up to ${keep}.`;
}

const heading = ["STATE", "ID", "VERSION", "PUBLISHED", "FILES", "MB", "SHA-256"];

function rowOf({ state, id, version, publishedAt, fileCount, ...release }: Release & ListedAs): string[] {
    const megabytes = (release.sizeBytes / 1e6).toFixed(1);
    return [state, id, version ?? "-", publishedAt, String(fileCount), megabytes, release.sha256.slice(0, 12)];
}

interface ListedAs {
    readonly state: string;
    readonly id: string;
}
