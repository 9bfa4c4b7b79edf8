/** An invalid option of the service; the message says which, and what to do. */
export class ServiceOptionsError extends Error {
    override readonly name = "ServiceOptionsError";
}
