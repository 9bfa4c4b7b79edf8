import { trimTrailing } from "@pulumi-static-export/contract";

/** Removes slashes and `.git` at the end, because forges accept addresses with and without them. */
export function bareAddress(url: string): string {
    const bare = trimTrailing(url, "/");
    return bare.endsWith(".git") ? bare.slice(0, -".git".length) : bare;
}
