/** Code blocks, in languages that every builder highlights by default. */
export const codeBlocks: readonly ((page: number) => string)[] = [
    (page) =>
        fenced("ts", [
            `import { open } from "store";`,
            ``,
            `export async function read${page}(id: string): Promise<number> {`,
            `    // The newest one counts.`,
            `    const found = await open({ id, retries: ${page % 7} });`,
            `    return found.length * 0.5;`,
            `}`,
        ]),
    (page) =>
        fenced("json", [
            `{`,
            `    "name": "service-${page}",`,
            `    "replicas": ${page % 9},`,
            `    "public": true,`,
            `    "tags": ["docs", null, "n${page}"]`,
            `}`,
        ]),
    (page) =>
        fenced("python", [
            `@cached`,
            `def read_${page}(store, limit=${page}):`,
            `    """Reads what is there."""`,
            `    return [row for row in store if row["size"] < limit]`,
        ]),
    (page) =>
        fenced("yaml", [
            `kind: Service`,
            `metadata:`,
            `    name: service-${page}`,
            `spec:`,
            `    ports:`,
            `        - port: ${8000 + (page % 900)}`,
        ]),
];

function fenced(language: string, lines: readonly string[]): string {
    return ["```" + language, ...lines, "```"].join("\n");
}
