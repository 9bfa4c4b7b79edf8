import { type AdminClient } from "@pulumi-static-export/sdk";
import { createClient } from "../admin-client.js";
import { exitCodeFor } from "./exit-codes.js";
import { withInterruption } from "./interruption.js";
import { type JobOptions } from "./job-options.js";

/** What a command about a job has while it runs. */
export interface JobRun {
    client: AdminClient;
    signal: AbortSignal;
    /** Is told when the command ends before its job does: how to go on. */
    onUnfinished: (advice: () => string | undefined) => void;
    /** Is told what the first Ctrl-C still waits for. */
    onInterrupt: (told: () => void) => void;
}

/** Runs a command about a job, and sets the exit code. What went wrong is told in a sentence, with how to go on. */
export async function runJobCommand(options: JobOptions, use: (run: JobRun) => Promise<number>): Promise<void> {
    const client = createClient(options, process.env);
    let advise: () => string | undefined = () => undefined;
    let tellInterrupt = (): void => undefined;
    const onUnfinished: JobRun["onUnfinished"] = (advice) => (advise = advice);
    const onInterrupt: JobRun["onInterrupt"] = (told) => (tellInterrupt = told);
    try {
        process.exitCode = await withInterruption(
            (signal) => use({ client, signal, onUnfinished, onInterrupt }),
            () => tellInterrupt(),
        );
    } catch (error) {
        const exitCode = exitCodeFor(error);
        if (exitCode === undefined) {
            throw error;
        }
        const advice = advise();
        console.error(`error: ${(error as Error).message}${advice === undefined ? "" : `\n${advice}`}`);
        process.exitCode = exitCode;
    } finally {
        client.close();
    }
}
