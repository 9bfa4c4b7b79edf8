/** The number of commits of each branch in the first part of a history, and in the last one. */
const firstPart = 100;
const lastPart = firstPart * 4 ** 12;
/** The messages of git about remotes that cannot send a part of the history. */
const noShallow = /not support shallow/;

interface MirrorState {
    readonly isEmpty: () => Promise<boolean>;
    /** Whether the history was fetched in parts, and some are missing. */
    readonly lacksHistory: () => boolean;
}

/**
 * Updates a mirror. If nothing or only a part was fetched before, fetches the history in parts, which the mirror keeps.
 * @param fetch called with the options of `git fetch` for a part
 */
export async function fetchRest(
    fetch: (extent: readonly string[]) => Promise<unknown>,
    { isEmpty, lacksHistory }: MirrorState,
): Promise<void> {
    if (await isEmpty()) {
        await fetch(["--depth=1"]).catch(async (error: unknown) => {
            if (!noShallow.test(String(error))) {
                throw error;
            }
            await fetch([]);
        });
    } else if (!lacksHistory()) {
        await fetch([]);
    }
    for (let commits = firstPart; lacksHistory() && commits <= lastPart; commits *= 4) {
        await fetch([`--deepen=${commits}`]);
    }
}
