import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { repeat } from "../time/repeat.js";
import type { PutObjectCommand, PutObjectCommandInput, S3Client } from "@aws-sdk/client-s3";

/** A file of this machine, whose content must not have changed since it was measured. */
interface LocalFile {
    readonly path: string;
    readonly sha256: string;
    readonly sizeBytes: number;
}

const maxTries = 5;
const firstDelayMs = 200;

/**
 * Uploads a file as an object, which appears complete or not at all. The signature covers the digest, so the storage
 * refuses other bytes. The SDK cannot send a stream again, so a request that may succeed later is made with a new one.
 *
 * @returns the ETag
 */
export async function putFile(
    { sdk, client }: { sdk: { readonly PutObjectCommand: typeof PutObjectCommand }; client: S3Client },
    object: Omit<PutObjectCommandInput, "Body">,
    { path, sha256, sizeBytes }: LocalFile,
    abortSignal: AbortSignal,
): Promise<string | undefined> {
    const ContentMD5 = await md5Of(path, abortSignal);
    const put = async () => {
        const body = createReadStream(path);
        const command = new sdk.PutObjectCommand({
            ...object,
            ...(ContentMD5 === undefined ? {} : { ContentMD5 }),
            Body: body,
            ContentLength: sizeBytes,
        });
        command.middlewareStack.add(
            (next) => (call) => {
                (call.request as { headers: Record<string, string> }).headers["x-amz-content-sha256"] = sha256;
                return next(call);
            },
            { step: "build" },
        );
        try {
            return (await client.send(command, { abortSignal })).ETag;
        } finally {
            body.destroy();
        }
    };
    return repeatIf(put, (error) => !abortSignal.aborted && mayPass(error), abortSignal);
}

/** Undefined where Node.js has no MD5, as in FIPS mode. */
async function md5Of(path: string, signal: AbortSignal): Promise<string | undefined> {
    let hash;
    try {
        hash = createHash("md5");
    } catch {
        return undefined;
    }
    await pipeline(createReadStream(path), hash, { signal });
    return hash.digest("base64");
}

/** Whether the same request may succeed later. A connection that broke has no status. */
function mayPass(error: unknown): boolean {
    const { $metadata, code } = error as { $metadata?: { httpStatusCode?: number }; code?: unknown };
    const status = $metadata?.httpStatusCode;
    return status === undefined ? typeof code === "string" && code !== "ENOENT" : status >= 500 || status === 429;
}

/** Why a storage did not carry out a request that conflicts with another one at the same moment. */
const conflicts: ReadonlySet<string> = new Set(["ConditionalRequestConflict", "OperationAborted"]);

/** Repeats a request that conflicted with another one at the same moment, as AWS says to. */
export function againAfterConflict<T>(send: () => Promise<T>): Promise<T> {
    return repeatIf(send, (error) => error instanceof Error && conflicts.has(error.name));
}

function repeatIf<T>(
    send: () => Promise<T>,
    isRepeated: (error: unknown) => boolean,
    signal?: AbortSignal,
): Promise<T> {
    return repeat(send, {
        delayMs: (error, tries) =>
            tries < maxTries && isRepeated(error) ? firstDelayMs * 2 ** tries * (0.5 + Math.random() / 2) : undefined,
        sleep: (ms) => setTimeout(ms, undefined, { ...(signal && { signal }) }),
    });
}
