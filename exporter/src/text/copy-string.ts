/** The same text on its own: what is cut out of a text keeps the whole of it in memory, as long as it is used itself. */
export function detached(text: string): string {
    return Buffer.from(text, "utf8").toString("utf8");
}
