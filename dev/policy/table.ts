import { policies } from "../../policy/src/policies/index.js";

type Policy = (typeof policies)[number];

/** The tables of docs/reference/policy-pack.md: one row per rule, and then one row per setting. */
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
