/** An error that the user can fix; the message says how. */
export class UsageError extends Error {
    override readonly name = "UsageError";
}
