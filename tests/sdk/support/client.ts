import { AdminClient, type AdminClientOptions } from "@pulumi-static-export/sdk";
import { FakeClock } from "../../fake-clock.js";

export const adminApiKey = "adm_5up3rs3cr3t";

/** Creates a client with a fake clock and maximum backoffs. */
export function createTestClient(
    baseUrl: string,
    options: Partial<AdminClientOptions> = {},
): { client: AdminClient; clock: FakeClock } {
    const clock = new FakeClock("2026-11-20T00:00:00Z");
    return { client: new AdminClient({ baseUrl, adminApiKey, clock, random: () => 1, ...options }), clock };
}

/** Returns the error of a promise that rejects; throws if the promise does not reject. */
export async function rejectionOf<T extends Error = Error>(promise: Promise<unknown>): Promise<T> {
    try {
        await promise;
    } catch (error) {
        return error as T;
    }
    throw new Error("was expected to reject");
}
