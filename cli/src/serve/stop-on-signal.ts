import { type ServiceLogger } from "@pulumi-static-export/service";
import { onEndOfNpm } from "./npm-process.js";

/** 128 + SIGINT, as shells report a command ended by Ctrl-C. */
const interruptedExitCode = 130;

/**
 * Closes the service on SIGTERM (exit code 0) or Ctrl-C (130), and when the npx that started it ends; the process exits
 * when the service has released everything. A second Ctrl-C ends the process immediately. In both cases, the next start
 * resumes the interrupted jobs.
 */
export function stopOnSignal(service: { close(): Promise<void> }, log: Pick<ServiceLogger, "info">): void {
    let stopping = false;
    const stop = (exitCode: number): void => {
        if (stopping) {
            log.info("Stopped at once.");
            process.exit(exitCode);
        }
        stopping = true;
        process.exitCode = exitCode;
        log.info("Stopping; Ctrl-C again stops at once.");
        service.close().then(
            () => {
                process.off("SIGINT", onInterrupt);
                process.off("SIGTERM", onTerminate);
            },
            (error: unknown) => {
                console.error(error);
                process.exit(1);
            },
        );
    };
    const onInterrupt = (): void => stop(interruptedExitCode);
    const onTerminate = (): void => stop(0);
    process.on("SIGINT", onInterrupt);
    process.on("SIGTERM", onTerminate);
    onEndOfNpm(process.env, onTerminate);
}
