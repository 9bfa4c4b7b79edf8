import { cleanServerText } from "./text/server-text.js";

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

/** A signature of S3, also without its name. */
const signature = /\b[\da-f]{64}\b/gi;

/** @param secrets - the secrets of the client, which a storage or proxy may repeat in its response */
export function describeStorageFailure(error: unknown, secrets: readonly string[]): StorageFailure {
    const hidden = [...secrets, ...secretsOfRequest(error)];
    const described = describe(error);
    const clean = (text: string) => cleanServerText(text, hidden).replace(signature, "[secret]");
    const [name, message] = [clean(described.name), clean(described.message)];
    const code = described.code === undefined ? undefined : clean(described.code);
    const { status } = described;
    const reason = [code ?? name, status === undefined ? undefined : `HTTP ${status}`, message]
        // The SDK's placeholders for a missing response body.
        .filter((part) => part !== undefined && !/^(Unknown(Error)?)?$/.test(part))
        .join(", ");
    return { code: code ?? name, status, reason };
}

/** An AWS client. */
interface Client {
    readonly config: { readonly credentials: () => Promise<{ secretAccessKey: string; sessionToken?: string }> };
}

/** The secrets with which an AWS client has signed its requests. */
export async function secretsOfClient({ config }: Client, error: unknown): Promise<string[]> {
    if (error instanceof Error && error.name === "CredentialsProviderError") {
        return [];
    }
    try {
        const { secretAccessKey, sessionToken = "" } = await config.credentials();
        return [secretAccessKey, sessionToken];
    } catch {
        return [];
    }
}

/** Azure's errors contain the request. */
function secretsOfRequest(error: unknown): string[] {
    const { request } = (error ?? {}) as { request?: { url?: unknown; headers?: { get?: (name: string) => unknown } } };
    const authorization = request?.headers?.get?.("authorization");
    const signature =
        typeof request?.url === "string" && URL.canParse(request.url)
            ? new URL(request.url).searchParams.get("sig")
            : undefined;
    const parts =
        typeof authorization === "string" ? [authorization, authorization.replace(/^\S+ (?:[^:\s]*:)?/, "")] : [];
    return [...parts, signature ?? ""];
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
