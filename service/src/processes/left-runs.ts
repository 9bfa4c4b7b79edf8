import { realpath, rm } from "node:fs/promises";
import { basename } from "node:path";
import { ControlGroups } from "./control-group.js";
import { removeUnheldFolders } from "./held-folders.js";
import { RunProcesses } from "./kill-processes.js";
import { ProcessMark } from "./process-mark.js";
import { removeLeftovers } from "./remove-leftovers.js";
import { imageOf } from "./run-disk.js";

/**
 * Ends the runs of programs whose process on this machine has ended without them, such as a killed service's, and
 * removes their folders. Finds all that belongs to a run by the name of its folder, which no other run on this machine
 * has.
 *
 * @param place contains the folders of runs, and their locks
 * @param maxAgeMs as of {@link removeUnheldFolders}
 * @returns why runs could not be ended or removed
 */
export async function removeLeftRuns(place: string, maxAgeMs?: number): Promise<string[]> {
    const remove = (folder: string) => removeLeftRun(folder, ProcessMark.ofRun(place, folder));
    return removeUnheldFolders(await realpath(place).catch(() => place), maxAgeMs, remove);
}

/** The folder goes last: while it or its lock is there, the next process tries again. */
async function removeLeftRun(folder: string, mark: ProcessMark): Promise<string | undefined> {
    try {
        await ControlGroups.endLeft(basename(folder));
        // Also where runs have no control groups, or the earlier process was in another one.
        await new RunProcesses({ mark, folder }).killAll();
        await rm(imageOf(folder), { force: true });
    } catch (error) {
        return `${folder}: ${(error as Error).message}`;
    }
    return removeLeftovers(folder);
}
