import { AsyncLocalStorage } from "node:async_hooks";
import { toOneLine } from "@pulumi-static-export/exporter";
import { type ServiceLogger } from "./logger.js";

/** Ends the unit of work to which the running code belongs. */
const units = new AsyncLocalStorage<(error: Error) => void>();

/**
 * Runs a unit of work, such as a job's run or a request.
 *
 * @param fail - called with an error that nobody in the unit has caught
 */
export function asUnit<T>(fail: (error: Error) => void, run: () => T): T {
    return units.run(fail, run);
}

/**
 * Lets the process survive errors that nobody has caught, such as the `error` event of a connection without a listener:
 * logs each, and ends only the unit of work to which it belongs. An error that code outside of all units has thrown
 * still ends the process, because nobody knows what it has left undone.
 *
 * @returns a function that undoes this
 */
export function surviveUncaughtErrors(logger: Pick<ServiceLogger, "error">): () => void {
    const earlier = process.listeners("uncaughtException");
    const onError: NodeJS.UncaughtExceptionListener = (thrown, origin) => {
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        const fail = units.getStore();
        if (fail === undefined && origin !== "unhandledRejection" && !isErrorEvent(error)) {
            earlier.forEach((listener) => listener(thrown, origin));
            return;
        }
        const what = fail === undefined ? "has ended a connection, file or program" : "has ended one job or request";
        try {
            logger.error(toOneLine(`An error that nobody handled ${what}: ${String(error)}`));
        } catch {
            // A failing logger, for example on a full disk, must not end the process.
        }
        fail?.(error);
    };
    process.removeAllListeners("uncaughtException").on("uncaughtException", onError);
    return () => {
        process.off("uncaughtException", onError);
        earlier.forEach((listener) => process.on("uncaughtException", listener));
    };
}

/** Whether an emitter has reported the error: Node.js marks an `error` event to which nobody listens. */
function isErrorEvent(error: Error): boolean {
    return (
        Object.getOwnPropertySymbols(error).some(({ description }) => description === "kEnhanceStackBeforeInspector") ||
        (error as NodeJS.ErrnoException).syscall !== undefined
    );
}
