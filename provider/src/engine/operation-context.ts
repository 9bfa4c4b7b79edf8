import type { ResourceIdentity } from "@pulumi-static-export/contract";

/**
 * The context of one call from Pulumi, to a dynamic provider or through the plugin. All other objects belong to the
 * process.
 */
export interface OperationContext {
    /** Shows a line to the user: for the resource in a plugin, for the stack in a dynamic provider. */
    log(line: string): void;
    /** Aborted when the run has to end early: waits then stop, and their jobs are saved or stay in the journal. */
    readonly signal: AbortSignal;
    /** How long this run may wait, in seconds. Takes precedence over the inputs' own limit. */
    readonly timeoutSeconds?: number;
    /**
     * Returns the resource of a call; undefined if the caller does not know the resource.
     *
     * @param inputs - as passed to the lifecycle's create or update
     */
    identityOf?(inputs: object): ResourceIdentity | undefined;
}
