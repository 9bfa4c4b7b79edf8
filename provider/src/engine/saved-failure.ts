/**
 * A failure after which Pulumi saves the resource ("initialization failed") with these properties. Dependent resources
 * are not touched, and the next `pulumi up` calls update even if nothing else has changed.
 *
 * Pulumi adds `__provider` only on success, so the properties have to include it: without it, a later read or delete
 * fails with "code must be a string" (pulumi/pulumi#7534).
 */
export class SavedFailure extends Error {
    override readonly name = "SavedFailure";
    readonly id: string;
    readonly properties: object;
    readonly reasons: string[];

    constructor(id: string, properties: { __provider?: string }, cause: unknown) {
        const message = cause instanceof Error ? cause.message : String(cause);
        super(message, { cause });
        this.id = id;
        this.properties = properties;
        this.reasons = [message];
    }
}
