import { type AdminClient, downloadBundle, type DownloadedBundle, type OnFile } from "@pulumi-static-export/sdk";
import { throwWithoutSettings } from "@pulumi-static-export/sdk/internal";
import { accessSync, constants, existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { UsageError } from "../command-line/usage-error.js";

/** Where to unpack a bundle, and its expected digest. */
export interface SaveOptions {
    output: string;
    /** Hex digest. */
    sha256?: string | undefined;
    /** Receives the digests of small files. */
    onFile?: OnFile | undefined;
}

/** The files that were written to disk. */
export interface SavedBundle extends DownloadedBundle {
    folder: string;
}

/** The download exceeded its deadline. */
export class SaveTimeoutError extends Error {
    override readonly name = "SaveTimeoutError";
}

/** Checks the options before the job starts, so that the command does not fail after a long job. @throws UsageError */
export function assertSavable({ output, sha256 }: SaveOptions): void {
    if (sha256 !== undefined && !/^[0-9a-f]{64}$/i.test(sha256)) {
        throw new UsageError("--sha256 must be 64 hexadecimal digits.");
    }
    if (output === "") {
        throw new UsageError("--output must name a folder, but is an empty string.");
    }
    if (lstatSync(output, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
        throw new UsageError(`${output} is a link: name the folder that it leads to, or choose another --output.`);
    }
    try {
        if (readdirSync(output).length > 0) {
            throw new UsageError(
                `The folder ${output} is not empty: choose another --output, or remove it if it holds nothing but an ` +
                    "earlier export.",
            );
        }
    } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "ENOTDIR") {
            throw new UsageError(`${output} is a file: choose another --output.`);
        }
        if (code !== "ENOENT") {
            throw error;
        }
        assertCreatable(dirname(resolve(output)));
    }
}

/** Checks that folders can be created in the nearest folder that exists. @throws the system's error */
function assertCreatable(folder: string): void {
    if (existsSync(folder)) {
        accessSync(folder, constants.W_OK | constants.X_OK);
    } else {
        assertCreatable(dirname(folder));
    }
}

/**
 * Gets a fresh link, downloads, checks size and digest, and unpacks. The folder appears complete or not at all.
 *
 * @throws SaveTimeoutError at `deadlineMs`, in milliseconds since 1970
 */
export async function saveBundleUntil(
    deadlineMs: number,
    client: AdminClient,
    jobId: string,
    options: SaveOptions,
    signal: AbortSignal,
): Promise<SavedBundle> {
    const deadline = AbortSignal.timeout(Math.max(0, deadlineMs - Date.now()));
    try {
        return await saveBundle(client, jobId, options, AbortSignal.any([signal, deadline]));
    } catch (error) {
        if (deadline.aborted && !signal.aborted) {
            throw new SaveTimeoutError(
                `The bundle of export job ${jobId} was not downloaded in time: raise --timeout-seconds.`,
            );
        }
        throw error;
    }
}

/** Saves a bundle without a total time limit: only stalled downloads fail. */
export async function saveBundle(
    { staticExports }: AdminClient,
    jobId: string,
    { output, sha256, onFile }: SaveOptions,
    signal: AbortSignal,
): Promise<SavedBundle> {
    const { bundleUrl, sizeBytes } = await staticExports.createBundle(jobId, { signal });
    const bundle = await downloadBundle(bundleUrl, output, {
        expectedSha256: sha256,
        expectedSizeBytes: sizeBytes,
        requirePages: true,
        signal,
        onFile,
    }).catch(throwWithoutSettings);
    return { folder: output, ...bundle };
}
