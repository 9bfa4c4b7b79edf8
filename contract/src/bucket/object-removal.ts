import type { DeleteObjectCommand, DeleteObjectsCommand, S3Client } from "@aws-sdk/client-s3";

/** Where objects are removed. */
interface RemovalPlace {
    readonly sdk: {
        readonly DeleteObjectCommand: typeof DeleteObjectCommand;
        readonly DeleteObjectsCommand: typeof DeleteObjectsCommand;
    };
    readonly client: S3Client;
    readonly bucket: string;
    readonly abortSignal?: AbortSignal;
}

/** Objects that the storage did not remove, with the first reason. */
export interface RefusedObjects {
    readonly keys: readonly string[];
    readonly error: unknown;
}

/** The limit of S3. */
const keysPerRequest = 1000;
const requestsAtOnce = 16;

/**
 * Removes objects: 1,000 with each request, or one by one in a storage that refuses such requests, as GCS (no
 * DeleteObjects) and storages that demand another checksum do.
 */
export class ObjectRemoval {
    #removesMany = true;

    /** Also succeeds if objects do not exist. */
    async remove(keys: readonly string[], place: RemovalPlace): Promise<RefusedObjects | undefined> {
        const refused: RefusedObjects[] = [];
        for (let start = 0; start < keys.length; start += keysPerRequest) {
            const some = keys.slice(start, start + keysPerRequest);
            refused.push(...(this.#removesMany ? await this.#removeMany(some, place) : await removeEach(some, place)));
        }
        return refused.length === 0
            ? undefined
            : { keys: refused.flatMap((each) => each.keys), error: refused[0]!.error };
    }

    async #removeMany(keys: readonly string[], place: RemovalPlace): Promise<RefusedObjects[]> {
        const { sdk, client, bucket: Bucket, abortSignal } = place;
        const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
        const command = new sdk.DeleteObjectsCommand({ Bucket, Delete });
        try {
            const { Errors = [] } = await client.send(command, {
                ...(abortSignal === undefined ? {} : { abortSignal }),
            });
            return Errors.map(({ Key = "", Code = "Error", Message }) => ({
                keys: [Key],
                error: Object.assign(new Error(Message), { name: Code }),
            }));
        } catch (error) {
            const [first = "", ...others] = keys;
            if (!isRefused(error) || !(await removeOne(first, place).then(isDone, isFailed))) {
                throw error;
            }
            this.#removesMany = false;
            return removeEach(others, place);
        }
    }
}

function removeOne(Key: string, { sdk, client, bucket: Bucket, abortSignal }: RemovalPlace): Promise<unknown> {
    const command = new sdk.DeleteObjectCommand({ Bucket, Key });
    return client.send(command, { ...(abortSignal === undefined ? {} : { abortSignal }) });
}

async function removeEach(keys: readonly string[], place: RemovalPlace): Promise<RefusedObjects[]> {
    const refused: RefusedObjects[] = [];
    for (let start = 0; start < keys.length; start += requestsAtOnce) {
        const removing = keys.slice(start, start + requestsAtOnce).map((key) =>
            removeOne(key, place).catch((error: unknown) => {
                if (!isRefused(error)) {
                    throw error;
                }
                refused.push({ keys: [key], error });
            }),
        );
        await Promise.all(removing);
    }
    return refused;
}

const isDone = () => true;
const isFailed = () => false;

/** Whether the storage answered that it does not carry out a request. */
function isRefused(error: unknown): boolean {
    const { $metadata: { httpStatusCode: status = 0 } = {} } = error as { $metadata?: { httpStatusCode?: number } };
    return (status >= 400 && status < 500) || isNotImplemented(error);
}

/** Whether a storage refuses a request because it does not support the operation. */
export function isNotImplemented(error: unknown): boolean {
    const { $metadata, name } = error as { $metadata?: { httpStatusCode?: number }; name?: string };
    return $metadata?.httpStatusCode === 501 || name === "NotImplemented";
}
