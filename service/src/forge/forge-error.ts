/** A request to GitHub or GitLab failed; the message says what to do about it, without the token. */
export class ForgeError extends Error {
    override readonly name = "ForgeError";
    /** The request may still have created something. */
    readonly isAmbiguous: boolean;
    /** The same request may succeed later: the forge is overloaded, out of order or not reached. */
    readonly isTransient: boolean;

    constructor(message: string, { isAmbiguous = false, isTransient = false } = {}) {
        super(message);
        this.isAmbiguous = isAmbiguous;
        this.isTransient = isTransient;
    }
}
