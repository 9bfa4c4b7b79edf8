import { cleanServerText } from "@pulumi-static-export/contract";

export { cleanServerText };

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

/** Whether the body is an error of S3-compatible storage, which answers in XML. */
export function isStorageError(body: string): boolean {
    return /^\s*(?:<\?xml[^>]*>\s*)?<Error\b[^>]*>\s*<Code>/.test(body);
}
