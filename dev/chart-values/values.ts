import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

export const charts = ["documentation-site", "documentation-sites", "static-export-service"] as const;

export type Chart = (typeof charts)[number];

const folder = fileURLToPath(new URL("../../charts/", import.meta.url));

export type Schema = Readonly<Record<string, unknown>>;

/** A value of a chart, with its comment. The root of the values has no name. */
export interface Value {
    readonly name: string;
    readonly path: string;
    readonly byDefault: unknown;
    readonly description: string;
    /** The text after `@schema` in the comment: the name of a type, or keywords. */
    readonly annotation: string | Schema | undefined;
}

export interface ChartValues {
    readonly root: Value;
    /** Returns the values in a group. */
    valuesIn(group: Value): readonly Value[];
}

export function readChartFile(chart: Chart | ".", name: string): string {
    return readFileSync(`${folder}${chart}/${name}`, "utf8");
}

/** Reads a values.yaml. A comment belongs to the value in the next line; the first one of the file, to the whole. */
export function readValues(text: string): ChartValues {
    const comments = commentsIn(text);
    const valueAt = (name: string, path: string, byDefault: unknown): Value => {
        const [, description = "", schema] = /^([^]*?)(?:\s*@schema ([^]*))?$/.exec(comments.get(path) ?? "") ?? [];
        const annotation = schema === undefined ? undefined : (parse(schema) as string | Schema);
        return { name, path, byDefault, description: description.replaceAll("\n", " "), annotation };
    };
    return {
        root: valueAt("", "", parse(text)),
        valuesIn: ({ path, byDefault }) =>
            Object.entries(byDefault as object).map(([name, value]) =>
                valueAt(name, path === "" ? name : `${path}.${name}`, value),
            ),
    };
}

/** Returns comments by the path of their value. */
function commentsIn(text: string): ReadonlyMap<string, string> {
    const comments = new Map<string, string>();
    const parents: string[] = [];
    let above: string[] = [];
    for (const line of text.split("\n")) {
        const [, comment] = /^ *# ?(.*)$/.exec(line) ?? [];
        const [, indent = "", name, inline] = /^( *)(\w+):(?:.*? # ?(@schema .*))?/.exec(line) ?? [];
        if (comment !== undefined) {
            above.push(comment);
            continue;
        }
        if (name !== undefined) {
            parents.splice(indent.length / 2, Infinity, name);
            comments.set(parents.join("."), [...above, ...(inline === undefined ? [] : [inline])].join("\n"));
        } else if (comments.size === 0 && above.length > 0) {
            comments.set("", above.join("\n"));
        }
        above = [];
    }
    return comments;
}
