import type { sendUnaryData, ServerUnaryCall, UntypedHandleCall } from "@grpc/grpc-js";
import { toCallError } from "./errors.js";

/** Declares which properties are secret, in case the call fails and its state is saved. Returns them. */
export type FailWith = (secrets: ReadonlySet<string>) => ReadonlySet<string>;

/** Makes an asynchronous function a gRPC method. The engine gets all lines of the log before the result. */
export function unary<Request, Response>(
    log: { flush(): Promise<void> },
    work: (request: Request, failWith: FailWith) => Promise<Response> | Response,
): UntypedHandleCall {
    return (call: ServerUnaryCall<Request, Response>, callback: sendUnaryData<Response>) => {
        void answer();

        async function answer(): Promise<void> {
            let secrets: ReadonlySet<string> = new Set();
            try {
                const response = await work(call.request, (given) => (secrets = given));
                await log.flush();
                callback(null, response);
            } catch (error) {
                await log.flush();
                callback(toCallError(error, secrets), null);
            }
        }
    };
}
