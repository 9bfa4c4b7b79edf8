import { type Group } from "./groups.js";
import { type FileResult } from "./results.js";

/** If more files than this fail, a busy machine is not the cause. */
const maxFilesAgain = 3;

/**
 * Runs the failed files once more, each alone: a spec that measures, or waits for a process, may fail on a busy
 * machine. A file that fails again counts as failed; a file that passes is named at the end.
 */
export async function runFailedAgain(
    results: readonly FileResult[],
    groups: readonly Group[],
    run: (group: Group) => Promise<FileResult[]>,
): Promise<FileResult[]> {
    const failed = results.filter(({ failures }) => failures.length > 0);
    if (failed.length > maxFilesAgain) {
        return [...results];
    }
    const final: FileResult[] = [];
    for (const result of results) {
        const group = groups.find(({ files }) => files.includes(result.file));
        if (result.failures.length === 0 || group === undefined) {
            final.push(result);
            continue;
        }
        const [again = result] = await run({ ...group, files: [result.file], jobs: 1 });
        final.push(again.failures.length > 0 ? again : { ...again, failedBesideOthers: result.failures });
    }
    return final;
}
