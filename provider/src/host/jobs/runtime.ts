import type { AdminClient, Clock, Gate } from "@pulumi-static-export/sdk";
import type { Journal } from "../journal/journal.js";
import type { KeySource } from "../settings.js";

/** What the lifecycle of a resource that runs jobs works with. Everything that is outside of it comes in here. */
export interface JobRuntime {
    /** Reads the settings and gives the client: throws when a setting is missing. Called only before a request. */
    connect(): { client: AdminClient; keySource?: KeySource };
    engine: {
        /** Runs a wait for as long as there is an engine to hand its result to. */
        whileAlive<T>(wait: () => Promise<T>): Promise<T>;
        /** Runs what has to be finished even when the engine is gone: only then is its outcome known. */
        finish<T>(work: () => Promise<T>): Promise<T>;
        /** Calls `forget` once Pulumi has saved the result that is handed over now. */
        whenSaved(forget: () => void): void;
    };
    journal: Journal;
    /** Starts wait here for their turn. */
    startGate: Gate;
    clock: Clock;
    print: (line: string) => void;
}
