/** A request to GitHub or GitLab failed; the message says what to do about it. */
export class PlatformError extends Error {
    override readonly name = "PlatformError";

    constructor(
        message: string,
        /** The request may still have created a comment. */
        readonly isAmbiguous = false,
    ) {
        super(message);
    }
}
