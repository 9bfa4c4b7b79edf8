import { type AdminClient, type StartOptions } from "@pulumi-static-export/sdk";
import { reportError } from "./exit-codes.js";
import { withInterruption } from "../command-line/interruption.js";

/** The context of a command about a job. */
export interface JobRun {
    client: AdminClient;
    signal: AbortSignal;
    /** When the command ends at the latest, in milliseconds since 1970. */
    deadlineMs: number;
    /** Sets the advice on resuming, which is printed if the command ends before its job. */
    onUnfinished: (advice: () => string | undefined) => void;
    /** Sets the message for the first Ctrl-C: what the command is still waiting for. */
    onInterrupt: (told: () => void) => void;
}

/**
 * Runs a command about a job and closes the client. Returns the exit code. Prints errors as one sentence, with advice
 * on resuming.
 *
 * @param timeoutSeconds - the time for the whole command: its start, its wait and its download
 */
export async function runJobCommand(
    client: AdminClient,
    use: (run: JobRun) => Promise<number>,
    timeoutSeconds = Infinity,
): Promise<number> {
    const deadlineMs = Date.now() + timeoutSeconds * 1000;
    let advise: () => string | undefined = () => undefined;
    let tellInterrupt = (): void => undefined;
    const onUnfinished: JobRun["onUnfinished"] = (advice) => (advise = advice);
    const onInterrupt: JobRun["onInterrupt"] = (told) => (tellInterrupt = told);
    try {
        return await withInterruption(
            (signal) => use({ client, signal, deadlineMs, onUnfinished, onInterrupt }),
            () => tellInterrupt(),
        );
    } catch (error) {
        return reportError(error, advise());
    } finally {
        client.close();
    }
}

/**
 * Starts something. The first Ctrl-C waits for the response, because after an abort it would be unclear whether the
 * start had an effect, but ends a wait between two attempts.
 *
 * @param what - is started, with its article
 */
export async function startFor<T>(
    run: JobRun,
    what: "a job" | "an update",
    start: (options: StartOptions) => Promise<T>,
    tell: (line: string) => void = console.error,
): Promise<T> {
    const [article, name] = what.split(" ") as [string, string];
    const capital = article.replace("a", "A");
    run.onInterrupt(() =>
        tell(
            `Waiting for the ${name}'s id. Press Ctrl-C again to stop at once. ${capital} ${name} may then be running.`,
        ),
    );
    const started = await start({ deadlineMs: run.deadlineMs, waitSignal: run.signal });
    run.onInterrupt(() => undefined);
    return started;
}
