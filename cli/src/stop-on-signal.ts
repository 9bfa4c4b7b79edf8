import { type Service } from "@pulumi-static-export/service";

/** 128 + SIGINT, as shells report a command ended by Ctrl-C. */
const interruptedExitCode = 130;

/**
 * Closes the service on SIGTERM (exit code 0) or Ctrl-C (130); the process ends when the service has given everything
 * back. A second Ctrl-C ends it at once: jobs that run are taken up by the next start either way.
 */
export function stopOnSignal(service: Service): void {
    let stopping = false;
    const stop = (exitCode: number): void => {
        if (stopping) {
            console.log("Stopped at once.");
            process.exit(exitCode);
        }
        stopping = true;
        process.exitCode = exitCode;
        console.log("Stopping; Ctrl-C again stops at once.");
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
}
