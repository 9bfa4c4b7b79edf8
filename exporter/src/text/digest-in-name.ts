import { hash } from "node:crypto";

/**
 * The version of a file in its name: eight digits of a digest, with a letter. Hosts recognise such names, and let
 * browsers cache the files forever.
 */
export function digestInName(content: string): string {
    return /(?=\d{0,7}[a-f])[\da-f]{8}/.exec(hash("sha256", content))?.[0] ?? "";
}
