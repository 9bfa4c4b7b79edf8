import type { AdminClient, Clock, Gate } from "@pulumi-static-export/sdk";
import type { Journal } from "../engine/journal/journal.js";
import type { RunContext } from "../engine/run-context.js";
import type { KeySource } from "../engine/settings.js";

/** The client that the settings describe. */
export interface Connection {
    client: AdminClient;
    keySource?: KeySource;
    /** The run of the pipeline that this process belongs to, on whichever machine; undefined outside of pipelines. */
    pipelineRun?: string | undefined;
}

/** The dependencies of the lifecycle of a resource that runs jobs. */
export interface JobRuntime extends RunContext {
    /** Reads the settings. Throws if one is missing. Called only before a request. */
    connect(): Connection;
    engine: {
        /** Runs a wait for as long as the engine is there to receive its result. */
        whileAlive<T>(wait: () => Promise<T>): Promise<T>;
        /** Runs work that has to be finished even if the engine exits, because its outcome must be recorded. */
        finish<T>(work: () => Promise<T>): Promise<T>;
        /** Calls `forget` once Pulumi has saved the result that is about to be returned. */
        whenSaved(forget: () => void): void;
    };
    journal: Journal;
    /** Limits how many starts run at the same time. */
    startGate: Gate;
    clock: Clock;
}
