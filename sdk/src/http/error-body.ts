import { STATUS_CODES } from "node:http";
import { cleanServerText } from "@pulumi-static-export/contract";

/**
 * Returns the cleaned `error` text of an error body (docs/reference/admin-api.md, "Error"); undefined for any other
 * body.
 */
export function parseErrorText(body: string, secrets: readonly string[]): string | undefined {
    try {
        const { error } = JSON.parse(body) as { error?: unknown };
        return typeof error === "string" && error !== "" ? cleanServerText(error, secrets) : undefined;
    } catch {
        return undefined;
    }
}

/** Fields of errors that frameworks and gateways write, next to an `error`. */
const foreignFields = ["message", "statusCode", "status", "path", "timestamp"];

/**
 * Whether a body is an error in the API's form, and says more than the status: a gateway, a proxy or an ingress without
 * a backend answers 404 for any path, so its answer does not prove that a job is gone.
 */
export function isApiError(body: string, status: number): boolean {
    try {
        const answer = JSON.parse(body) as Record<string, unknown>;
        const { error } = answer;
        const isBare = typeof error !== "string" || error.toLowerCase() === STATUS_CODES[status]?.toLowerCase();
        return !isBare && error !== "" && !foreignFields.some((field) => field in answer);
    } catch {
        return false;
    }
}

/** Whether the body is an error of S3-compatible storage, which answers in XML. */
export function isStorageError(body: string): boolean {
    return /^\s*(?:<\?xml[^>]*>\s*)?<Error\b[^>]*>\s*<Code>/.test(body);
}
