import type { AdminClient, Clock } from "@pulumi-static-export/sdk";
import type { Gate } from "@pulumi-static-export/sdk/internal";
import type { Journal } from "../engine/journal/journal.js";
import type { OperationContext } from "../engine/operation-context.js";
import type { KeySource } from "../engine/admin-api-settings.js";
import type { SavedJobs } from "./saved-jobs.js";

/** A client of the admin API, the source of its key, and the pipeline run. */
export interface Connection {
    client: AdminClient;
    keySource?: KeySource;
    /**
     * The pipeline run that this process belongs to, which is the same on every machine; undefined outside of
     * pipelines.
     */
    pipelineRun?: string | undefined;
}

/** The dependencies of the lifecycle of a resource that runs jobs. */
export interface JobRuntime extends OperationContext {
    /** Reads the settings. Throws if a setting is missing. Called only before a request. */
    connect(): Connection;
    engine: {
        /** Runs a wait for as long as the engine is running and can receive its result. */
        whileAlive<T>(wait: () => Promise<T>): Promise<T>;
        /** Runs work that must finish even if the engine exits, because its outcome must be recorded. */
        finish<T>(work: () => Promise<T>): Promise<T>;
        /** Calls `forget` once Pulumi has saved the result that is about to be returned. */
        whenSaved(forget: () => void): void;
    };
    journal: Journal;
    savedJobs: SavedJobs;
    /** Limits how many starts run at the same time. */
    startGate: Gate;
    clock: Clock;
}
