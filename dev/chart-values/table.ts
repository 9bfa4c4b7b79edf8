import { parse } from "yaml";
import { valuesSchema } from "./schema.js";
import { jsonLine } from "./text.js";
import { type Chart, readChartFile, type Schema } from "./values.js";

/** Returns the table of a chart's values: a row for each value, and for each group of values with a comment. */
export function valuesTable(
    chart: Chart,
    text = readChartFile(chart, "values.yaml"),
    schema = valuesSchema(chart, text),
): string {
    const rows = rowsOf(schema, parse(text) as object).sort(byKey);
    return ["| Key | Type | Default | Description |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function rowsOf({ properties }: Schema, defaults: object, parents = ""): string[] {
    return Object.entries(defaults).flatMap(([name, value]: [string, unknown]) => {
        const schema = (properties as Readonly<Record<string, Schema>>)[name] ?? {};
        const [path, description = ""] = [parents + name, schema.description as string | undefined];
        if (schema.properties === undefined) {
            return [row(path, typeOf(value, schema), `\`${jsonLine(value)}\``, description)];
        }
        const inner = rowsOf(schema, value as object, `${path}.`);
        return description === "" ? inner : [row(path, "group", "", description), ...inner];
    });
}

function row(...cells: string[]): string {
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function typeOf(value: unknown, { type: types }: Schema): string {
    if (Array.isArray(types)) {
        return types.join(" or ").replace("integer", "int");
    }
    const type = Array.isArray(value) ? "list" : typeof value;
    return value === null ? "bool" : ({ boolean: "bool", number: "int" }[type as string] ?? type);
}

function byKey(one: string, other: string): number {
    return one < other ? -1 : 1;
}
