/** Something the user can mend; the message says what and how. */
export class UsageError extends Error {
    override readonly name = "UsageError";
}
