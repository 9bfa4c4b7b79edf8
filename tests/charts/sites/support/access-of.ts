/** Writes access.json as exporters do. */
export function accessOf(files: Readonly<Record<string, readonly string[]>>): string {
    const lines = Object.entries(files).map(
        ([file, groups]) => `    "${file}": [${groups.map((each) => `"${each}"`).join(", ")}]`,
    );
    return `{\n  "formatVersion": 1,\n  "files": {\n${lines.join(",\n")}\n  }\n}\n`;
}
