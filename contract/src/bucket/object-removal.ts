/** The requests to a storage, through which the caller's errors pass unchanged. */
interface RemovalRequests {
    /** DeleteObjects. @returns the objects that it did not remove */
    many(keys: readonly string[]): Promise<readonly { Code?: string | undefined; Message?: string | undefined }[]>;
    /** DeleteObject. */
    one(key: string): Promise<unknown>;
}

/** The limit of S3. */
const keysPerRequest = 1000;

/** Removes objects: 1,000 with each request, or one by one in a storage such as GCS, which has no DeleteObjects. */
export class ObjectRemoval {
    #removesMany = true;

    /** Also succeeds if objects do not exist. */
    async remove(keys: readonly string[], requests: RemovalRequests): Promise<void> {
        for (let start = 0; start < keys.length; start += keysPerRequest) {
            const some = keys.slice(start, start + keysPerRequest);
            if (!this.#removesMany || !(await this.#removeMany(some, requests))) {
                for (const key of some) {
                    await requests.one(key);
                }
            }
        }
    }

    /** Returns false if the storage does not support the operation. */
    async #removeMany(keys: readonly string[], requests: RemovalRequests): Promise<boolean> {
        try {
            const [failed] = await requests.many(keys);
            if (failed !== undefined) {
                throw Object.assign(new Error(failed.Message), { name: failed.Code ?? "Error" });
            }
            return true;
        } catch (error) {
            this.#removesMany = !isNotImplemented(error);
            if (this.#removesMany) {
                throw error;
            }
            return false;
        }
    }
}

/** Whether a storage refuses a request because it does not support the operation. */
export function isNotImplemented(error: unknown): boolean {
    const { $metadata, name } = error as { $metadata?: { httpStatusCode?: number }; name?: string };
    return $metadata?.httpStatusCode === 501 || name === "NotImplemented";
}
