import { BundleError, unpackArchive } from "@pulumi-static-export/sdk";
import { statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createClient, type ClientOptions } from "../command-line/admin-client.js";
import { UsageError } from "../command-line/usage-error.js";
import { saveBundle } from "../export/save-bundle.js";

/** The source of a site, and the folder to unpack it into. */
export interface SiteSource {
    /** A folder, the archive of a bundle, or the id of an export job. */
    readonly place: string;
    /** A folder that does not exist yet. */
    readonly scratch: string;
    readonly client: ClientOptions;
}

/**
 * The folder of an exported site, unpacked into `scratch` if it is an archive.
 * @throws UsageError if there is no such site, or its archive is refused
 * @throws StaticExportError if a request fails
 */
export async function openSite({ place, scratch, client }: SiteSource, signal: AbortSignal): Promise<string> {
    const found = statSync(place, { throwIfNoEntry: false });
    if (found?.isDirectory()) {
        return place;
    }
    if (found !== undefined) {
        await mkdir(scratch);
        try {
            await unpackArchive(place, scratch, undefined, signal);
        } catch (error) {
            throw error instanceof BundleError ? new UsageError(`${place}: ${error.message}`) : error;
        }
        return scratch;
    }
    if (/[\\/.]/.test(place)) {
        throw new UsageError(`There is no folder or archive ${place}.`);
    }
    const admin = createClient(client, process.env);
    try {
        await saveBundle(admin, place, { output: scratch }, signal);
    } finally {
        admin.close();
    }
    return scratch;
}
