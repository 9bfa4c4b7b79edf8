import { type sendUnaryData, type ServerUnaryCall, type UntypedHandleCall, Metadata, status } from "@grpc/grpc-js";
import { Any } from "google-protobuf/google/protobuf/any_pb.js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb.js";
import { Status } from "@pulumi/pulumi/proto/status_pb.js";
import { SavedFailure } from "pulumi-static-export/plugin-entry";
import { encode } from "./properties.js";

/** Declares which properties are secret, in case the call fails and its state is saved. Returns them. */
type FailWith = (secrets: ReadonlySet<string>) => ReadonlySet<string>;

/** Turns an asynchronous function into a gRPC method. The engine receives all log lines before the result. */
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

/** A failed call in gRPC's form. */
export interface CallError {
    code: number;
    details: string;
    metadata?: Metadata;
}

/**
 * Returns the failure as the engine expects it: the message without a stack trace. After a {@link SavedFailure} the
 * engine saves the resource, and the next `pulumi up` calls update.
 *
 * @param secrets - the names of the properties that are secret
 */
export function toCallError(error: unknown, secrets: ReadonlySet<string> = new Set()): CallError {
    const details = error instanceof Error ? error.message : String(error);
    if (!(error instanceof SavedFailure)) {
        return { code: status.UNKNOWN, details };
    }
    const failed = new ErrorResourceInitFailed();
    failed.setId(error.id);
    failed.setProperties(encode(error.properties, secrets));
    failed.setReasonsList(error.reasons);
    const detail = new Any();
    detail.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const wrapped = new Status();
    wrapped.setCode(status.UNKNOWN);
    wrapped.setMessage(details);
    wrapped.addDetails(detail);
    const metadata = new Metadata();
    metadata.add("grpc-status-details-bin", Buffer.from(wrapped.serializeBinary()));
    return { code: status.UNKNOWN, details, metadata };
}
