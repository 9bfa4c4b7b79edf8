import { foreignSyntaxes } from "../../exporter/src/read/markdown/foreign-syntax.js";
import { keysWithoutEffect } from "../../exporter/src/read/front-matter/keys-without-effect.js";
import { unsupportedSettings } from "../../exporter/src/read/settings/unsupported-settings.js";
import { attributesWithoutEffect } from "./attributes.js";
import { features } from "./features.js";
import { keywordsNotShown } from "./keywords.js";

/**
 * The tables of features, settings, syntaxes and keywords in docs/reference/not-supported.md, from the exporter's own
 * lists, and from the pages of documents that use every keyword.
 */
export async function describeNotSupported(): Promise<string> {
    const { openapi, asyncapi } = await keywordsNotShown();
    return [
        table(
            ["Not supported", "What the export does instead", "Warning"],
            features.map(({ what, instead, warnings }) => [what, instead, warnings.map(code).join(", ")]),
        ),
        "## Settings without an effect",
        "A warning of the kind `settings` reports these settings of `docs.json` or `mint.json`:",
        table(
            ["Setting", "What readers get"],
            [...unsupportedSettings].map(([setting, instead]) => [code(setting), instead]),
        ),
        "## Attributes without an effect",
        "A warning of the kind `attribute` reports all unknown attributes, and these attributes, which the platform documents:",
        attributesWithoutEffect()
            .map(([component, attributes]) => `- ${code(component)}: ${attributes.map(code).join(", ")}`)
            .join("\n"),
        "## Syntax of other builders",
        "Pages show this syntax as it is written, and a warning of the kind `syntax` reports it. In `.mdx`, " +
            "`{{ name }}` is JavaScript: the page leaves it out, and the warning has the kind `expression`.",
        foreignSyntaxes.map(({ name }) => `- ${withCode(name)}`).join("\n"),
        "## Front matter of GitBook",
        "A warning of the kind `syntax` reports these keys:",
        table(
            ["Key", "What readers get"],
            [...keysWithoutEffect].map(([key, { instead }]) => [code(key), instead]),
        ),
        "## Keywords of OpenAPI",
        "Pages of operations show every keyword of OpenAPI 3.0 and 3.1 except these. A version in brackets is the only one with the keyword. Examples in XML follow `xml`:",
        keywordsByObject(openapi),
        "## Keywords of AsyncAPI",
        "Pages of channels show every keyword of AsyncAPI 2.6 and 3.0 except these:",
        keywordsByObject(asyncapi),
    ].join("\n\n");
}

function keywordsByObject(keywords: Awaited<ReturnType<typeof keywordsNotShown>>["openapi"]): string {
    const objects = new Map<string, string[]>();
    for (const { keyword, versions } of keywords) {
        const [object = "", name = ""] = keyword.split(".");
        const only = versions.length === 0 ? "" : ` (${versions.join(", ")})`;
        objects.set(object, [...(objects.get(object) ?? []), code(name) + only]);
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
