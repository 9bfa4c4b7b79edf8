/** A request to a forge failed; the message says what to do about it, without the token. */
export class ForgeError extends Error {
    override readonly name = "ForgeError";
    /** The request may still have created the object. */
    readonly isAmbiguous: boolean;
    /** The same request may succeed later: the forge is overloaded, failing or unreachable. */
    readonly isTransient: boolean;
    /** The forge's answer. */
    readonly status: number | undefined;

    constructor(
        message: string,
        {
            isAmbiguous = false,
            isTransient = false,
            status,
        }: { isAmbiguous?: boolean; isTransient?: boolean; status?: number } = {},
    ) {
        super(message);
        this.status = status;
        this.isAmbiguous = isAmbiguous;
        this.isTransient = isTransient;
    }
}
