import { readRecord, type Release } from "@pulumi-static-export/sdk/publish";
import { Argument, Option } from "commander";
import { type CliCommand } from "../command-line/cli-command.js";
import { withInterruption } from "../command-line/interruption.js";
import { jsonOption } from "../command-line/options.js";
import { formatTable } from "../command-line/table.js";
import { reportError } from "../export/exit-codes.js";
import { openTarget, type TargetOptions } from "../publish/open-target.js";

/** Lists what `publish` can make live again. */
export const releasesCommand: CliCommand = {
    name: "releases",
    summary: "List the releases of a published site: the live one, and those that were kept.",
    arguments: [new Argument("<place>", "s3://BUCKET/PREFIX, az://CONTAINER/PREFIX, or file:///FOLDER")],
    options: [
        new Option("--bucket-endpoint <url>", "URL of the storage, if it is neither AWS nor in AZURE_STORAGE_ACCOUNT"),
        new Option("--region <name>", "region of the bucket (default: AWS_REGION, else us-east-1)"),
        jsonOption("the releases"),
    ],
    exitCodes: { 0: "the releases were listed", 1: "the storage failed, or its record cannot be used" },
    notes: "To make a release live again: static-export publish JOB --to PLACE. A release of a folder has no job.",
    examples: ["static-export releases s3://docs/site"],
    run: (to: string, options: Omit<TargetOptions, "to"> & { json?: boolean }) => listReleases({ ...options, to }),
};

async function listReleases({ json: isJson, ...options }: TargetOptions & { json?: boolean }): Promise<number> {
    const target = await openTarget(options);
    try {
        const { record } = await withInterruption(
            (signal) => readRecord(target, signal),
            () => undefined,
        );
        const live = record?.live === undefined ? [] : [{ state: "live", ...record.live }];
        const releases = [...live, ...(record?.earlier ?? []).map((release) => ({ state: "kept", ...release }))];
        if (isJson) {
            console.log(JSON.stringify(releases, undefined, 2));
        } else if (releases.length === 0) {
            console.log(`No release is published at ${target.address}.`);
        } else {
            console.log(formatTable([["STATE", "JOB", "PUBLISHED", "FILES", "MB", "SHA-256"], ...releases.map(rowOf)]));
        }
        return 0;
    } catch (error) {
        return reportError(error);
    } finally {
        target.close();
    }
}

function rowOf({ state, jobId, publishedAt, fileCount, sizeBytes, sha256 }: Release & { state: string }): string[] {
    const megabytes = (sizeBytes / 1e6).toFixed(1);
    return [state, jobId ?? "-", publishedAt, String(fileCount), megabytes, sha256.slice(0, 12)];
}
