import { readFileSync } from "node:fs";
import { parse } from "yaml";

const valuesFile = new URL("../../charts/static-export-service/values.yaml", import.meta.url);

/** The table of the service's chart: one row for each value that a comment `# -- …` of values.yaml describes. */
export function valuesTable(values = readFileSync(valuesFile, "utf8")): string {
    const defaults: unknown = parse(values);
    const rows = describedValues(values).map(({ path, description }) => {
        const value = path.reduce((object, key) => (object as Record<string, unknown>)[key], defaults);
        return `| ${path.join(".")} | ${typeOf(value)} | \`${textOf(value)}\` | ${description} |`;
    });
    return ["| Key | Type | Default | Description |", "| --- | --- | --- | --- |", ...rows.sort(byKey)].join("\n");
}

interface DescribedValue {
    readonly path: readonly string[];
    readonly description: string;
}

function describedValues(values: string): DescribedValue[] {
    const above: string[] = [];
    let description: string | undefined;
    return values.split("\n").flatMap((line) => {
        description = /^ *# -- (.*)$/.exec(line)?.[1] ?? description;
        const [, indent = "", key] = /^( *)(\w+):/.exec(line) ?? [];
        if (key === undefined) {
            return [];
        }
        above.splice(indent.length / 2, Infinity, key);
        const described = description === undefined ? [] : [{ path: [...above], description }];
        description = undefined;
        return described;
    });
}

function typeOf(value: unknown): string {
    const type = Array.isArray(value) ? "list" : typeof value;
    return { boolean: "bool", number: "int" }[type as string] ?? type;
}

/** JSON with spaces, as people write it. */
function textOf(value: unknown): string {
    return JSON.stringify(value, undefined, 1)
        .replace(/\n */g, " ")
        .replace(/([[{]) | (?=[\]}])/g, "$1");
}

function byKey(one: string, other: string): number {
    return one < other ? -1 : 1;
}
