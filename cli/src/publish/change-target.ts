import { type PublishProgress, type SiteTarget } from "@pulumi-static-export/sdk/publish";
import { withInterruption } from "../command-line/interruption.js";
import { reportError } from "../export/exit-codes.js";
import { createProgressDisplay } from "../export/progress-display.js";

/** What a change of a target needs. */
export interface TargetChange {
    readonly signal: AbortSignal;
    readonly note: (line: string) => void;
    readonly onProgress: (progress: PublishProgress) => void;
}

/**
 * Changes a target while its progress is shown, until Ctrl-C, and closes it.
 *
 * @param status - what the progress says
 * @param change - returns the text to print
 * @returns the exit code
 */
export async function changeTarget(
    target: SiteTarget,
    status: string,
    change: (run: TargetChange) => Promise<string>,
): Promise<number> {
    const display = createProgressDisplay(process.stderr, process.env);
    const note = (line: string): void => display.note(line);
    const onProgress = ({ doneFiles, totalFiles }: PublishProgress): void =>
        display.show(target.address, { status, progress: totalFiles === 0 ? 100 : (doneFiles / totalFiles) * 100 });
    try {
        const text = await withInterruption(
            (signal) => change({ signal, note, onProgress }),
            () => note("Stopping: recording the progress of this run."),
        );
        display.end();
        console.log(text);
        return 0;
    } catch (error) {
        display.end();
        return reportError(error);
    } finally {
        target.close();
    }
}
