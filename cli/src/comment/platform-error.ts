/** The platform did not do what was asked; the message says what to do about it. */
export class PlatformError extends Error {
    override readonly name = "PlatformError";

    constructor(
        message: string,
        /** It may have created a comment all the same. */
        readonly isAmbiguous = false,
    ) {
        super(message);
    }
}
