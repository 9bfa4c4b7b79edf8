import type * as Yaml from "yaml";
import { integerOf, parseJson } from "../../text/json-text.js";
import { lazyModule } from "../../text/lazy-module.js";
import { yamlProblem } from "../../text/yaml-problem.js";
import { lineAt } from "../../text/strings.js";
import { keepTexts } from "./numbers-as-texts.js";

type Node = Record<string, unknown>;

/** A mistake in the text of a file, which may have lost a part of its content. */
export interface DocumentFault {
    readonly file: string;
    readonly line: number | undefined;
    readonly reason: string;
}

/** The number of mistakes in one file that are reported. */
const maxFaults = 5;

const yaml = lazyModule<typeof Yaml>("yaml");

/** Decimal integers of YAML, without rounding. A postal code such as `01234` is a text. */
function customTags(tags: Yaml.Tags): Yaml.Tags {
    return tags.map((tag) =>
        typeof tag === "object" &&
        tag.tag === "tag:yaml.org,2002:int" &&
        (!("format" in tag) || tag.format === undefined)
            ? ({ ...tag, resolve: textOrInteger } as Yaml.ScalarTag)
            : tag,
    );
}

function textOrInteger(text: string): string | number | bigint {
    return /^[-+]?0\d/.test(text) ? text : integerOf(text);
}

/** The time that the library takes grows with the square of this number. */
const maxAliases = 10_000;
/** The maximum depth of a file's content, which no document written by hand reaches; code that follows it calls itself. */
const maxNesting = 500;
/** The maximum number of values of a file, with those that its aliases repeat. */
const maxValues = 1_000_000;

/**
 * The content of a JSON or YAML file; undefined for any other file. In a file with mistakes, the rest of the content.
 *
 * @param report called with the first mistakes
 */
export function contentOf(
    text: string,
    report: (fault: Omit<DocumentFault, "file">) => void = () => undefined,
): unknown {
    const content = parsedContent(text, report);
    const count = cutDeepParts(content);
    if (count > 0) {
        const reason = `parts at more than ${maxNesting} levels (${count}) are left out: use $ref for separate models`;
        report({ line: undefined, reason });
    }
    return content;
}

/** Removes the objects and lists that are nested too deep. Returns their number. */
function cutDeepParts(content: unknown): number {
    const known = new Set<unknown>();
    let level: unknown[] = typeof content === "object" ? [content] : [];
    let count = 0;
    for (let depth = 0; level.length > 0; depth += 1) {
        const below: unknown[] = [];
        for (const node of level) {
            for (const [key, value] of Object.entries(node ?? {})) {
                if (typeof value === "object" && value !== null && !known.has(value)) {
                    known.add(value);
                    below.push(value);
                    count += depth === maxNesting ? 1 : 0;
                    (node as Node)[key] = depth === maxNesting ? undefined : (value as Node);
                }
            }
        }
        level = depth === maxNesting ? [] : below;
    }
    return count;
}

function parsedContent(text: string, report: (fault: Omit<DocumentFault, "file">) => void): unknown {
    let yamlText = text;
    if (/^\s*(?:[{[]|\/[/*])/.test(text)) {
        try {
            return parseJson(text);
        } catch {
            // YAML includes JSON, and names the place of a mistake.
            yamlText = withoutComments(text, (at) => report({ line: lineAt(text, at), reason: hasComments }));
        }
    }
    const { LineCounter, parseDocument, visit } = yaml();
    const lineCounter = new LineCounter();
    const options = { lineCounter, merge: true, prettyErrors: false, logLevel: "silent", customTags } as const;
    const document = parseDocument(yamlText, options);
    document.errors.slice(0, maxFaults).forEach(({ code, pos }, at, shown) => {
        const { line, col } = lineCounter.linePos(pos[0]);
        const others = at === shown.length - 1 ? document.errors.length - shown.length : 0;
        const more = others === 0 ? "" : `; there are ${others} more mistakes in the file`;
        const reason = `column ${col}: ${yamlProblem({ code })}; what this line describes may be missing from the pages${more}`;
        report({ line, reason });
    });
    try {
        let aliases = 0;
        visit(document, { Alias: () => void (aliases += 1), Map: (_, map) => keepTexts(map) });
        if (aliases > maxAliases) {
            throw new Error(`it has more than ${maxAliases} aliases`);
        }
        const content: unknown = document.toJS({ maxAliasCount: -1 });
        const count = aliases > 0 ? cutCircles(content) : 0;
        if (aliases > 0 && countValues(content) > maxValues) {
            throw new Error(`its aliases expand to more than ${maxValues} values`);
        }
        if (count > 0) {
            const reason = `aliases within their own anchors (${count}) are left out: use $ref for a schema that contains itself`;
            report({ line: undefined, reason });
        }
        return content;
    } catch (error) {
        report({ line: undefined, reason: `the document cannot be read: ${(error as Error).message}` });
        return undefined;
    }
}

const hasComments = "JSON has no comments, so that other tools refuse this file: remove all comments";

/** Replaces comments in JSON by spaces. @param onFirst called with the offset of the first comment */
function withoutComments(json: string, onFirst: (offset: number) => void): string {
    // A pattern for a whole string would need too much stack for a long one.
    const marks = /\\[^]|"|(?<=^|[\s,{}[\]"])\/[/*]/g;
    let text = "";
    let from = 0;
    let isInString = false;
    for (let found = marks.exec(json); found !== null; found = marks.exec(json)) {
        const { 0: mark, index } = found;
        if (mark === '"') {
            isInString = !isInString;
        } else if (!isInString && mark.startsWith("/")) {
            if (text === "") {
                onFirst(index);
            }
            const close = mark === "//" ? json.indexOf("\n", index) : json.indexOf("*/", index + 2) + 2;
            const end = close < index + 2 ? json.length : close;
            text += json.slice(from, index) + json.slice(index, end).replace(/[^\n]/g, " ");
            from = end;
            marks.lastIndex = end;
        }
    }
    return text + json.slice(from);
}

/** Counts the values in a value without circles, each as often as it is repeated. */
function countValues(value: unknown, known = new Map<unknown, number>()): number {
    if (typeof value !== "object" || value === null) {
        return 1;
    }
    let count = known.get(value);
    if (count === undefined) {
        count = Object.values(value).reduce((sum: number, item) => sum + countValues(item, known), 1);
        known.set(value, count);
    }
    return count;
}

/** Removes the values that contain themselves, which JSON cannot express. Returns their number. */
function cutCircles(value: unknown, around = new Set<unknown>(), known = new Set<unknown>()): number {
    if (typeof value !== "object" || value === null || known.has(value)) {
        return 0;
    }
    known.add(value);
    around.add(value);
    let count = 0;
    for (const [key, item] of Object.entries(value)) {
        const isCircle = around.has(item);
        count += isCircle ? 1 : cutCircles(item, around, known);
        (value as Node)[key] = isCircle ? undefined : item;
    }
    around.delete(value);
    return count;
}
