import { parseUrn } from "@pulumi-static-export/contract";

const maxNameLength = 100;

/**
 * Names a resource in a message. Because programs choose the names, the function truncates long names, and writes
 * characters as codes if they are invisible or if they move, reverse or end a line.
 */
export function describeResource(kind: string, urn: string): string {
    return `${kind} "${visible(parseUrn(urn)?.name ?? "")}"`;
}

/** Makes untrusted text safe to print on one line. */
export function visible(text: string): string {
    const characters = Array.from(text);
    const shown = characters.slice(0, maxNameLength).join("");
    const ending = characters.length > maxNameLength ? "…" : "";
    return shown.replace(/[\p{C}\p{Zl}\p{Zp}"]/gu, codeOf) + ending;
}

function codeOf(character: string): string {
    return character === '"' ? "'" : `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
