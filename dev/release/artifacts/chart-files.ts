import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { isMap, isScalar, parseDocument, type YAMLMap } from "yaml";
import { withOwner } from "../names/owner-names.js";

/** Files whose text may name the owner. */
const texts = /\.(?:ya?ml|json|md|txt|tpl)$/i;

export interface Schema {
    readonly description?: string;
    readonly $ref?: string;
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly [keyword: string]: unknown;
}

/** Writes a released chart's files with the owner's name, links to the release, and the schema's descriptions. */
export function finishChart(folder: string, chart: string, owner: string, version: string): void {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((each) => texts.test(each))) {
        const file = join(folder, name);
        const before = readFileSync(file, "utf8");
        const after = releasedChartText(posix.join("charts", chart, name), before, owner, version);
        if (after !== before) {
            writeFileSync(file, after);
        }
    }
    const schema = join(folder, "values.schema.json");
    const described = describeValues(
        JSON.parse(readFileSync(schema, "utf8")) as Schema,
        readFileSync(join(folder, "values.yaml"), "utf8"),
    );
    writeFileSync(schema, `${JSON.stringify(described, undefined, 2)}\n`);
}

/** Returns a schema in which properties have the comments of values.yaml as descriptions, which editors show. */
export function describeValues(schema: Schema, values: string): Schema {
    const { contents } = parseDocument(values);
    return isMap(contents) ? describeMap(schema, contents) : schema;
}

function describeMap(schema: Schema, map: YAMLMap): Schema {
    const described = { ...schema.properties };
    for (const [index, { key, value }] of map.items.entries()) {
        const name = isScalar(key) ? String(key.value) : "";
        const property = described[name];
        if (property !== undefined) {
            // The comment of the first key belongs to the map.
            const comment = (isScalar(key) ? key.commentBefore : undefined) ?? (index === 0 ? map.commentBefore : "");
            described[name] = withDescription(isMap(value) ? describeMap(property, value) : property, comment ?? "");
        }
    }
    return { ...schema, properties: described };
}

function withDescription(schema: Schema, comment: string): Schema {
    // An empty line separates the comment of a group from that of a value.
    const text = (comment.split("\n\n").at(-1) ?? "")
        .replaceAll(/^\s*(?:--\s)?/gm, "")
        .replaceAll("\n", " ")
        .trim();
    if (text === "" || schema.description !== undefined) {
        return schema;
    }
    // A validator ignores all keywords next to a reference.
    const { $ref, properties, ...rest } = schema;
    return $ref === undefined
        ? { description: text, ...schema }
        : {
              description: text,
              allOf: [{ $ref }],
              ...rest,
              ...(Object.keys(properties ?? {}).length > 0 && { properties }),
          };
}

/**
 * Returns the text of a chart's file in a release. Links of Markdown to files of the repository become addresses,
 * because registries show a chart's README without the repository.
 *
 * @param path - the file's path in the repository
 */
export function releasedChartText(path: string, text: string, owner: string, version: string): string {
    const repository = `https://github.com/${owner}/pulumi-static-export/blob/v${version}`;
    const released = withOwner(text, owner).replaceAll(
        `https://github.com/${owner}/pulumi-static-export/blob/main`,
        repository,
    );
    return path.endsWith(".md")
        ? released.replace(/\]\((?![\w+.-]+:|#)([^)\s]+)\)/g, (_whole, link: string) => {
              return `](${repository}/${posix.join(posix.dirname(path), link)})`;
          })
        : released;
}
