/** Options with which the service does not start; the message says which and what to do. */
export class ServiceOptionsError extends Error {
    override readonly name = "ServiceOptionsError";
}
