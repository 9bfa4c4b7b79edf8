/**
 * Generates the page docs/reference/not-supported.mdx from the exporter's own lists.
 * `npm run not-supported` writes the section; tests/dev/not-supported fails when it is out of date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { foreignSyntaxes } from "../../exporter/src/read/markdown/foreign-syntax.js";
import { unsupportedSettings } from "../../exporter/src/read/settings/unsupported-settings.js";
import { asyncapiKeywordsNotShown } from "./asyncapi-keywords-not-shown.js";
import { attributesWithoutEffect } from "./attributes.js";
import { features } from "./features.js";
import { openapiKeywordsNotShown } from "./openapi-keywords-not-shown.js";

const page = fileURLToPath(new URL("../../docs/reference/not-supported.mdx", import.meta.url));
const begin = "{/* written by `npm run not-supported` */}";
const end = "{/* end of what is not supported */}";

/** Returns tables of features, settings, syntaxes and keywords, as Markdown. */
export function describeNotSupported(): string {
    return [
        table(
            ["Not supported", "What the export does instead", "Warning"],
            features.map(({ what, instead, warnings }) => [what, instead, warnings.map(code).join(", ")]),
        ),
        "## Settings without an effect",
        "Of `docs.json` or `mint.json`; a warning of the kind `settings` reports them:",
        table(
            ["Setting", "What readers get"],
            [...unsupportedSettings].map(([setting, instead]) => [code(setting), instead]),
        ),
        "## Attributes without an effect",
        "Of those that the platform documents; a warning of the kind `attribute` reports them and every other unknown attribute:",
        attributesWithoutEffect()
            .map(([component, attributes]) => `- ${code(component)}: ${attributes.map(code).join(", ")}`)
            .join("\n"),
        "## Syntax of other builders",
        "Pages show this syntax as it is written, and a warning of the kind `syntax` reports it:",
        foreignSyntaxes.map(({ name }) => `- ${withCode(name)}`).join("\n"),
        "## Keywords of OpenAPI",
        "Pages of operations show every keyword of OpenAPI 3.0 and 3.1 but these:",
        keywordsByObject(openapiKeywordsNotShown),
        "## Keywords of AsyncAPI",
        "Pages of channels show every keyword of AsyncAPI 2.6 and 3.0 but these:",
        keywordsByObject(asyncapiKeywordsNotShown),
    ].join("\n\n");
}

/** Replaces the section in the page's text. */
export function withNotSupported(text: string, section: string): string {
    const [before, rest] = text.split(begin);
    const [, after] = (rest ?? "").split(end);
    if (after === undefined) {
        throw new Error(`docs/reference/not-supported.mdx needs the lines "${begin}" and "${end}".`);
    }
    return `${before}${begin}\n\n${section}\n\n${end}${after}`;
}

function keywordsByObject(keywords: readonly string[]): string {
    const objects = new Map<string, string[]>();
    for (const keyword of keywords) {
        const [object = "", name = ""] = keyword.split(".");
        objects.set(object, [...(objects.get(object) ?? []), code(name)]);
    }
    return [...objects].map(([object, names]) => `- ${object}: ${names.join(", ")}`).join("\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
    const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`.replaceAll("|  |", "| |");
    return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function code(text: string): string {
    return `\`${text}\``;
}

/** Formats the examples in brackets at the end of a name as code. */
function withCode(name: string): string {
    return name.replace(/\((.*)\)$/, (_, examples: string) => `(${examples.split(", ").map(code).join(", ")})`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
    writeFileSync(page, withNotSupported(readFileSync(page, "utf8"), describeNotSupported()));
}
