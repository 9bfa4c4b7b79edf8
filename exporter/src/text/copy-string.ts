/** Copies the string: a substring keeps its parent alive. */
export function copyString(text: string): string {
    return Buffer.from(text, "utf8").toString("utf8");
}
