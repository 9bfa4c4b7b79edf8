/** Returns JSON with spaces, as people write it, on one line. */
export function jsonLine(value: unknown): string {
    return JSON.stringify(value, undefined, 1)
        .replace(/([[{])\n *|\n *(?=[\]}])/g, "$1")
        .replace(/\n */g, " ");
}

/** Returns JSON in which a list or an object is on one line if it fits there. */
export function jsonText(value: unknown, indent = "", start = ""): string {
    const line = jsonLine(value);
    if (typeof value !== "object" || value === null || indent.length + start.length + line.length < 120) {
        return start + line;
    }
    const inner = `${indent}  `;
    const parts = Array.isArray(value)
        ? value.map((each) => jsonText(each, inner))
        : Object.entries(value).map(([key, each]) => jsonText(each, inner, `${JSON.stringify(key)}: `));
    const [open, close] = Array.isArray(value) ? "[]" : "{}";
    return `${start}${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}
