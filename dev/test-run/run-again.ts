import { type Group } from "./groups.js";
import { type FileResult } from "./results.js";

/**
 * Runs the failed files once more, one after another: a spec that measures, or waits for a process, may fail on a busy
 * machine. A file that fails again counts as failed; a file that passes is named at the end.
 */
export async function runFailedAgain(
    results: readonly FileResult[],
    groups: readonly Group[],
    run: (group: Group) => Promise<FileResult[]>,
): Promise<FileResult[]> {
    const failed = new Set(results.filter(({ failures }) => failures.length > 0).map(({ file }) => file));
    const again = new Map<string, FileResult>();
    for (const group of groups) {
        const files = group.files.filter((file) => failed.has(file));
        for (const result of files.length === 0 ? [] : await run({ ...group, files, jobs: 1 })) {
            again.set(result.file, result);
        }
    }
    return results.map((result) => {
        const second = again.get(result.file);
        if (second === undefined || second.failures.length > 0) {
            return second ?? result;
        }
        return { ...second, failedBesideOthers: result.failures };
    });
}
