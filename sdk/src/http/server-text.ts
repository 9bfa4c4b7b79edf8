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
