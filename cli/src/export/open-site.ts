import { type AdminClient, BundleError, HttpError, type OnFile, unpackArchive } from "@pulumi-static-export/sdk";
import { throwWithoutSettings } from "@pulumi-static-export/sdk/internal";
import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createClient, type ClientOptions } from "../command-line/admin-client.js";
import { UsageError } from "../command-line/usage-error.js";
import { saveBundle } from "./save-bundle.js";

/** The source of a site, and the folder to unpack it into. */
interface SiteSource {
    /** A folder, the archive of a bundle, or the id of an export job. */
    readonly place: string;
    /** A folder for unpacking, which does not exist yet. */
    readonly scratch: string;
    readonly client: ClientOptions;
    /** Receives the digests of an archive's files. */
    readonly onFile?: OnFile;
}

/** A site in a folder. */
export interface OpenedSite {
    readonly folder: string;
    /** The digest of its bundle; undefined if the source was a folder. */
    readonly sha256: string | undefined;
}

/**
 * The folder of an exported site, unpacked into `scratch` if it is an archive.
 * @throws UsageError if the site does not exist, or its archive is refused
 * @throws StaticExportError if a request fails
 */
export async function openSite(
    { place, scratch, client, onFile }: SiteSource,
    signal: AbortSignal,
): Promise<OpenedSite> {
    const found = statSync(place, { throwIfNoEntry: false });
    if (found?.isDirectory()) {
        return { folder: place, sha256: undefined };
    }
    if (found !== undefined) {
        await mkdir(scratch);
        try {
            await unpackArchive(place, scratch, undefined, signal, { onFile }).catch(throwWithoutSettings);
        } catch (error) {
            throw error instanceof BundleError ? new UsageError(`${place}: ${error.message}`) : error;
        }
        return { folder: scratch, sha256: await digestOf(place, signal) };
    }
    if (!isJobId(place)) {
        throw new UsageError(`There is no folder or archive ${place}.`);
    }
    const missing = `There is no folder or archive ${place}`;
    const admin = createClientFor(missing, client);
    try {
        const { sha256 } = await saveBundle(admin, place, { output: scratch, onFile }, signal);
        return { folder: scratch, sha256 };
    } catch (error) {
        throw error instanceof HttpError && error.status === 404
            ? new UsageError(`${missing} here, and no such export job at the service: check the name.`)
            : error;
    } finally {
        admin.close();
    }
}

/** Whether a source that is neither a folder nor a file may be the id of a job. */
export function isJobId(place: string): boolean {
    return !/[\\/.]/.test(place);
}

async function digestOf(file: string, signal: AbortSignal): Promise<string> {
    const hash = createHash("sha256");
    await pipeline(createReadStream(file), hash, { signal });
    return hash.digest("hex");
}

/** @throws UsageError that first reports the missing folder: without settings, most users mean a folder */
function createClientFor(missing: string, client: ClientOptions): AdminClient {
    try {
        return createClient(client, process.env);
    } catch (error) {
        throw error instanceof UsageError
            ? new UsageError(`${missing} here. To use an export job of a service: ${error.message}`)
            : error;
    }
}
