import { findAddressFault } from "@pulumi-static-export/contract";
import { PublishError } from "../errors/publish-error.js";

/**
 * Validates the URL of a storage. The message does not show it, because it may contain a key or a signature.
 *
 * @param keys - where keys belong instead
 * @throws PublishError
 */
export function checkEndpoint(endpoint: string, { example, keys }: { example: string; keys: string }): void {
    const fault = findAddressFault(endpoint);
    if (fault === "not-http") {
        throw new PublishError(`The endpoint is not a URL such as ${example}.`);
    }
    if (fault === "not-plain") {
        throw new PublishError(`The endpoint may contain only a scheme, a host and a path. ${keys}`);
    }
}
