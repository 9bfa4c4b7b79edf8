/**
 * Why a request of the AWS or Azure SDK failed. Contains no credentials: it stores neither the SDK's error nor its
 * request.
 */
export interface StorageFailure {
    /** The error code of the operating system, such as `ECONNREFUSED`, or the name of the storage's error. */
    code: string;
    /** The HTTP status; undefined without a response. */
    status: number | undefined;
    /** Formats code, status and message as one line. */
    reason: string;
}

export function describeStorageFailure(error: unknown): StorageFailure {
    const { name, message, status, code } = describe(error);
    const reason = [code ?? name, status === undefined ? undefined : `HTTP ${status}`, message]
        // The SDK's placeholders for a missing response body.
        .filter((part) => part !== undefined && !/^(Unknown(Error)?)?$/.test(part))
        .join(", ");
    return { code: code ?? name, status, reason };
}

function describe(error: unknown): {
    name: string;
    message: string;
    status: number | undefined;
    code: string | undefined;
} {
    if (!(error instanceof Error)) {
        return { name: "Error", message: String(error), status: undefined, code: undefined };
    }
    const { $metadata, statusCode, code } = error as Error & {
        $metadata?: { httpStatusCode?: number };
        statusCode?: number;
        code?: unknown;
    };
    return {
        name: error.name,
        // Azure's messages contain the id of the request on further lines.
        message: error.message.split("\n", 1)[0]!,
        status: $metadata?.httpStatusCode ?? statusCode,
        code: typeof code === "string" ? code : undefined,
    };
}
