import type { AdminClient, Clock, Gate } from "@pulumi-static-export/sdk";
import type { Journal } from "../journal.js";

/** What the lifecycle of a bundle works with. Everything that is outside of it comes in here. */
export interface BundleRuntime {
    /** Reads the settings and gives the client: throws when a setting is missing. Called only before a request. */
    connect(): { client: AdminClient };
    engine: {
        /** Runs a wait for as long as there is an engine to hand its result to. */
        whileAlive<T>(wait: () => Promise<T>): Promise<T>;
        /** Runs what has to be finished even when the engine is gone: only then is its outcome known. */
        finish<T>(work: () => Promise<T>): Promise<T>;
    };
    journal: Journal;
    /** Starts wait here for their turn, before anything is written down of them. */
    startGate: Gate;
    clock: Clock;
    print: (line: string) => void;
}
