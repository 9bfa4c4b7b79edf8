import type { ResourceIdentity } from "@pulumi-static-export/contract";

/** The context of one call of Pulumi, dynamic or through the plugin. Everything else belongs to the process. */
export interface RunContext {
    /** Shows a line to the user. A plugin's lines belong to the resource, those of a dynamic provider to the stack. */
    log(line: string): void;
    /** Aborted when the run has to end early: a wait stops then, and its job is saved or stays in the journal. */
    readonly signal: AbortSignal;
    /** How long this run may wait, in seconds: a limit that takes precedence over the inputs' own. */
    readonly timeoutSeconds?: number;
    /**
     * The resource that a call is about. Undefined if the caller does not know it.
     *
     * @param inputs - as the lifecycle's create or update was given them
     */
    identityOf?(inputs: object): ResourceIdentity | undefined;
}
