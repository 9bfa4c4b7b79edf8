/**
 * Generates the tables in docs/reference/policy-pack.md from the policies. `npm run policy:table` writes the tables;
 * tests/dev/policy fails when they are out of date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { policies } from "../../policy/src/policies/index.js";

const page = fileURLToPath(new URL("../../docs/reference/policy-pack.md", import.meta.url));
const begin = "<!-- table: written by `npm run policy:table` -->";
const end = "<!-- end of table -->";

type Policy = (typeof policies)[number];

/** Formats one row per rule, and then one row per setting. */
export function table(): string {
    return [
        "| Rule | What holds | Why | Level, severity |",
        "| --- | --- | --- | --- |",
        ...policies.map(({ name, description, why, enforcementLevel, severity }) =>
            row([`\`${name}\``, description, why, `${enforcementLevel}, ${severity}`]),
        ),
        "",
        "| Rule | Setting | Default | Meaning |",
        "| --- | --- | --- | --- |",
        ...settings(),
    ].join("\n");
}

/** Formats one row per setting; rules with the same setting share its row. */
function settings(): string[] {
    const rules = new Map<string, string[]>();
    for (const policy of policies) {
        for (const setting of settingsOf(policy)) {
            rules.set(setting, [...(rules.get(setting) ?? []), `\`${policy.name}\``]);
        }
    }
    return [...rules].map(([setting, names]) => `| ${names.join(", ")} ${setting}`);
}

/** Replaces the tables in the page's text. */
export function withTable(text: string, written: string): string {
    const [before, rest] = text.split(begin);
    const after = rest?.split(end)[1];
    if (before === undefined || after === undefined) {
        throw new Error(`The page needs the lines "${begin}" and "${end}" around its tables.`);
    }
    return `${before}${begin}\n\n${written}\n\n${end}${after}`;
}

function settingsOf({ configSchema }: Policy): string[] {
    return Object.entries(configSchema?.properties ?? {}).map(([setting, schema]) => {
        const json = (value: unknown) => `\`${JSON.stringify(value)}\``;
        const choices = schema.enum === undefined ? "" : ` One of ${schema.enum.map(json).join(", ")}.`;
        const initial = schema.default === undefined ? "–" : json(schema.default);
        return row([`\`${setting}\``, initial, `${schema.description}${choices}`]);
    });
}

function row(cells: readonly string[]): string {
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
    writeFileSync(page, withTable(readFileSync(page, "utf8"), table()));
}
