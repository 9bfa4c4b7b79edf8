/** A command of the AWS SDK. */
interface Command {
    middlewareStack: { add(middleware: never, options: never): void };
}

type Next = (call: { request: unknown }) => Promise<unknown>;

/**
 * Has the signature of a request cover a SHA-256 of its content that was computed elsewhere: of a stream the SDK would
 * sign none, and another one it would compute itself.
 */
export function signDigest(command: Command, sha256: string): void {
    const addDigest = (next: Next) => (call: { request: unknown }) => {
        (call.request as { headers: Record<string, string> }).headers["x-amz-content-sha256"] = sha256;
        return next(call);
    };
    command.middlewareStack.add(addDigest as never, { step: "build" } as never);
}
