import { type WaitOptions, waitUntilReady } from "../shared/wait-until-ready.js";
import { type BundleStorage, StorageUnavailableError } from "./bundle-storage.js";

/** Resolves when archives can be stored. @throws an error that waiting does not remove */
export async function waitForStorage(storage: BundleStorage, options: WaitOptions): Promise<void> {
    await waitUntilReady(async () => {
        try {
            await storage.assertReachable();
            return undefined;
        } catch (error) {
            if (error instanceof StorageUnavailableError) {
                return `Waiting for the storage: ${error.message}`;
            }
            throw error;
        }
    }, options);
}
