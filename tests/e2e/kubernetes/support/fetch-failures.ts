import { setTimeout as sleep } from "node:timers/promises";
import { type Namespace, type Pod } from "./namespace.js";

/**
 * Watches for the last reason why each release's pods have no site, because the reason disappears with its pod.
 */
export function watchFetchFailures(
    namespace: Namespace,
    releases: readonly string[],
): { end(): Promise<ReadonlyMap<string, string>> } {
    const failures = new Map<string, string>();
    const ending = new AbortController();
    const look = async () => {
        for (const release of releases) {
            for (const pod of await namespace.pods(release)) {
                const message = fetchFailure(pod);
                if (message !== undefined) {
                    failures.set(release, message);
                }
            }
        }
    };
    const watching = (async () => {
        while (!ending.signal.aborted) {
            // The API may be too busy for a request; the next request follows soon.
            await look().catch(() => undefined);
            await sleep(250, undefined, { signal: ending.signal }).catch(() => undefined);
        }
    })();
    return {
        async end() {
            ending.abort();
            await watching;
            return failures;
        },
    };
}

/** Returns the termination message of the fetching container. */
export function fetchFailure({ status }: Pod): string | undefined {
    const fetching = status.initContainerStatuses?.find(({ name }) => name === "fetch-bundle");
    const ended = fetching?.state.terminated ?? fetching?.lastState.terminated;
    return ended === undefined || ended.exitCode === 0 ? undefined : ended.message;
}
