import type * as Yaml from "yaml";
import {
    mentionsReaders,
    readersSettingsOf,
    readersSettingsOfUnreadable,
    type ReadersSettings,
} from "../readers/readers-settings.js";
import { lineOfMisplaced, mentionsDraft } from "../readers/misplaced-settings.js";
import { copyString } from "../../text/strings.js";
import { getOrMake } from "../../text/get-or-make.js";
import { lazyModule } from "../../text/lazy-module.js";
import { metatagsOfPage, type Metatags } from "./metatags.js";
import { keysWithoutEffect } from "./keys-without-effect.js";
import { misspelledKeys } from "./misspelled-keys.js";
import { yamlProblem } from "../../text/yaml-problem.js";
import { type Json, jsonValueOf, unlessEmpty, withoutUndefined } from "../../text/json-values.js";
import { isBlank, pageFields, type Field } from "./page-fields.js";

type FieldValues = {
    readonly [Name in keyof typeof pageFields]?: (typeof pageFields)[Name] extends Field<infer T> ? T : never;
};

/** The fields of a page between the two `---` lines at its top. Unknown keys are ignored. */
export interface FrontMatter extends FieldValues {
    /** The icon before the title in the navigation. */
    readonly icon?: string;
    /** `og:…`, `twitter:…`, `robots`. */
    readonly metatags?: Metatags;
    /** The page's readers, if the page restricts them. */
    readonly readers?: ReadersSettings;
    /** All values, for expressions on the page. */
    readonly values?: Readonly<Record<string, Json>>;
}

export interface FrontMatterProblem {
    readonly line: number | undefined;
    readonly reason: string;
}

interface ReadFrontMatter {
    readonly meta: FrontMatter;
    readonly problems: readonly FrontMatterProblem[];
}

type NamedField = readonly [name: string, field: Field<unknown>];

/** Stores fields by key to save memory, because a page has only a few of the keys, and a site has many pages. */
const fieldsOfKeys = new Map<string, NamedField[]>();
for (const named of Object.entries<Field<unknown>>(pageFields)) {
    const [name, { key = name }] = named;
    getOrMake(fieldsOfKeys, key, () => []).push(named);
}

const library = lazyModule<typeof Yaml>("yaml");

const block = /^---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n|$)/;

/** The YAML parser's time grows with the square of the number of keys. */
const maxFrontMatterLength = 32_000;

/** Reads a page's front matter; reports and skips unreadable values. */
export function readFrontMatter(source: string): ReadFrontMatter {
    const { meta, problems } = readBlock(source);
    const { groups, isPublic, misspelledKey = "groups" } = meta.readers ?? {};
    if (groups === undefined && isPublic !== false) {
        return { meta, problems };
    }
    const line = lineOfKey(source, groups === undefined ? "public" : misspelledKey);
    return { meta: { ...meta, readers: { ...meta.readers, line } }, problems };
}

function readBlock(source: string): ReadFrontMatter {
    const yaml = block.exec(source)?.[1];
    if (yaml === undefined && /^---[ \t]*\n[ \t]*[\w-]+:/.test(source)) {
        return failed(source, 1, "the front matter that starts here has no closing ---");
    }
    if (yaml === undefined) {
        return withoutBlock(source);
    }
    if (yaml.length > maxFrontMatterLength) {
        return failed(yaml, 1, `the front matter has more than ${maxFrontMatterLength} characters, and is left out`);
    }
    const own = copyString(yaml);
    const simple = simpleValues(own);
    return simple === undefined ? (readYaml(own) ?? withoutBlock(source)) : frontMatterOf(simple, own);
}

/** Reads a page without front matter, or with an empty block. */
function withoutBlock(source: string): ReadFrontMatter {
    const body = bodyOf(source);
    const linesBefore = source.slice(0, source.length - body.length).split("\n").length - 1;
    const readers = lineOfMisplaced(body, mentionsReaders);
    if (readers !== undefined) {
        const reason = `the page mentions groups or public ${outside}`;
        return { meta: { readers: { groups: "nobody" } }, problems: [{ line: linesBefore + readers, reason }] };
    }
    const draft = lineOfMisplaced(body, mentionsDraft);
    if (draft !== undefined) {
        const reason = `the page is marked as a draft ${outside}`;
        return { meta: { draft: true }, problems: [{ line: linesBefore + draft, reason }] };
    }
    const title = misplacedTitle.exec(body)?.[0];
    if (title === undefined) {
        return { meta: {}, problems: [] };
    }
    const line = linesBefore + title.split("\n").length;
    return { meta: {}, problems: [{ line, reason: `the title or description is ${outside}` }] };
}

/** A block after blank lines, or of TOML (`+++`). */
const misplacedTitle =
    /^\s*(?:---|\+\+\+)\w*[ \t]*\n(?:[ \t]*[\w-]+[ \t]*[:=][^\n]*\n)*?[ \t]*(?:title|description)[ \t]*[:=]/;

const outside = "outside of front matter, which begins in the first line with --- alone and ends with --- alone";

/** Words that YAML reads as they are written, unless they are one of the keywords. */
const words = String.raw`\p{L}(?:[\p{L}\p{M}\d ,.;()/&!?'_-]*[\p{L}\p{M}\d).!?])?`;

/** A key with a quoted string or with words. */
const simpleLine = new RegExp(String.raw`^([a-z][\w-]*): +(?:"([^"\\\p{Cc}]*)"|'([^'\p{Cc}]*)'|(${words}))$`, "iu");

const keywords = /^(?:true|false|null)$/i;

/**
 * Reads the keys and values of most front matter, in less than a tenth of the YAML parser's time.
 * @returns undefined for other YAML
 */
function simpleValues(yaml: string): Record<string, string> | undefined {
    const values: Record<string, string> = {};
    for (const line of yaml.split("\n")) {
        const [, key, double, single, plain] = simpleLine.exec(line) ?? [];
        const value = double ?? single ?? plain;
        if (key === undefined || value === undefined || keywords.test(plain ?? "") || Object.hasOwn(values, key)) {
            return undefined;
        }
        values[key] = value;
    }
    return values;
}

/** Reads the YAML of front matter; undefined for an empty block. */
function readYaml(yaml: string): ReadFrontMatter | undefined {
    const { LineCounter, parseDocument } = library();
    const lineCounter = new LineCounter();
    const document = parseDocument(yaml, { lineCounter, merge: true, prettyErrors: false });
    const failedAt = (offset: number, reason: string) =>
        salvaged(yaml, lineCounter.linePos(offset).line + 1, `the front matter is not valid YAML: ${reason}`);
    const problem = document.errors[0];
    if (problem !== undefined) {
        const indented = withIndentedQuotes(yaml);
        return indented === undefined ? failedAt(problem.pos[0], yamlProblem(problem)) : readYaml(indented);
    }
    let values: unknown;
    try {
        values = document.toJS();
    } catch {
        const { alias, isKnown } = badAlias(document);
        const reason = isKnown
            ? `the references to *${alias?.source} repeat too much text: write the text where it is needed`
            : `*${alias?.source} is read as a reference to another value: a string that begins with * must be in quotes`;
        return failedAt(alias?.range?.[0] ?? 0, reason);
    }
    if (values === null) {
        return undefined;
    }
    if (typeof values !== "object" || Array.isArray(values)) {
        return failed(yaml, 2, "the front matter must consist of keys and values, such as title: Start");
    }
    const written = { ...values, ...numbersAsWritten(document), ...textsAsWritten(document, yaml) };
    const { meta, problems } = frontMatterOf(written, yaml);
    const cut = cutTexts(document).map(({ key, text, comment, offset }): FrontMatterProblem => ({
        line: lineCounter.linePos(offset).line + 1,
        reason: `${key} is only "${text}", because YAML reads "#${comment}" as a comment: put the whole text in quotes`,
    }));
    return { meta, problems: cut.length === 0 ? problems : [...problems, ...cut] };
}

/**
 * Indents the continuation lines of quoted values, because other parsers allow these lines without indentation. Returns
 * undefined without continuation lines, or if a line could be a key such as `groups`, which must not become part of a
 * string.
 */
function withIndentedQuotes(yaml: string): string | undefined {
    let quote = "";
    let hasKey = false;
    const lines = yaml.split("\n").map((line) => {
        if (quote === "") {
            quote = /^[\w-]+:[ \t]+(["'])(?:\\.|(?!\1)[^\\])*\\?$/.exec(line)?.[1] ?? "";
            return line;
        }
        hasKey ||= /^[\w-]+:/.test(line);
        quote = line.includes(quote) ? "" : quote;
        return ` ${line}`;
    });
    const text = lines.join("\n");
    return quote !== "" || hasKey || text === yaml || lines.some((line) => line.startsWith("  ")) ? undefined : text;
}

/** Keys whose values readers see as they are written. */
const textKeys = ["title", "sidebarTitle", "description", "tag"];

/**
 * Returns the texts that YAML would change: it reads `01.10` as the number 1.1, `!important rules` as a value with a
 * type, and `&c rules` as a value with a name for references.
 */
function textsAsWritten(document: Yaml.Document, yaml: string): Record<string, string> {
    const texts: Record<string, string> = {};
    for (const key of textKeys) {
        const node = document.get(key, true);
        const isPlain = library().isScalar(node) && node.type === "PLAIN" && node.source !== undefined;
        if (!isPlain || node.source === undefined) {
            continue;
        }
        const line = yaml.slice(0, node.range?.[1]).split("\n").at(-1) ?? "";
        const [, mark] = new RegExp(`^${key}:[ \\t]+((?:!(?!!)|&)\\S*(?:[ \\t]+|$))`).exec(line) ?? [];
        if (mark !== undefined && !yaml.includes(`*${node.anchor}`)) {
            texts[key] = (mark + node.source).trim();
        } else if (typeof node.value === "number") {
            texts[key] = node.source;
        }
    }
    return texts;
}

/** Returns numbers that would lose a zero, such as the version `1.30`, except values of the exporter's own keys. */
function numbersAsWritten(document: Yaml.Document): Record<string, string> {
    const { isMap, isScalar } = library();
    const items = isMap(document.contents) ? document.contents.items : [];
    return Object.fromEntries(
        items.flatMap(({ key, value }) => {
            const name = isScalar(key) ? String(key.value) : "";
            if (!isScalar(value) || typeof value.value !== "number" || fieldsOfKeys.has(name)) {
                return [];
            }
            const { source = "" } = value;
            return /^(?:0\d|\d+\.\d*0$)/.test(source) ? [[name, source]] : [];
        }),
    );
}

/** Finds texts such as `Update #2`, whose end YAML reads as a comment. Comments of authors begin with a space. */
function cutTexts(document: Yaml.Document) {
    return textKeys.flatMap((key) => {
        const node = document.get(key, true);
        if (!library().isScalar(node) || node.type !== "PLAIN" || !/^[^\s#]/.test(node.comment ?? "")) {
            return [];
        }
        const [comment = ""] = (node.comment ?? "").split("\n", 1);
        return [{ key, text: String(node.source), comment, offset: node.range?.[0] ?? 0 }];
    });
}

/** Reads lines that contain a key and a value from front matter that is not valid YAML. */
function salvaged(yaml: string, line: number, reason: string): ReadFrontMatter {
    const values: Record<string, unknown> = {};
    const unread: string[] = [];
    for (const text of yaml.split("\n")) {
        const [, key, value] = /^([\w-]+):[ \t]+(\S[^\n]*)$/.exec(text.trimEnd()) ?? [];
        if (key !== undefined && value !== undefined && !/^[[{]/.test(value)) {
            values[key] = value.replace(/^(["'])([\s\S]*?)\1?$/, "$2");
        } else {
            unread.push(text);
        }
    }
    const { meta } = frontMatterOf(values, yaml);
    const readers = { ...meta.readers, ...readersSettingsOfUnreadable(unread.join("\n")) };
    return { meta: { ...meta, readers }, problems: [{ line, reason }] };
}

function failed(text: string, line: number, reason: string): ReadFrontMatter {
    const meta = { readers: readersSettingsOfUnreadable(text), draft: mentionsDraft(text) };
    return { meta, problems: [{ line, reason }] };
}

/**
 * Finds the first alias without an anchor. If all aliases have anchors, there are too many aliases, and the first alias
 * is reported.
 */
function badAlias(document: Yaml.Document): { alias: Yaml.Alias | undefined; isKnown: boolean } {
    const aliases: Yaml.Alias[] = [];
    library().visit(document, { Alias: (_, alias) => void aliases.push(alias) });
    const unknown = aliases.find((alias) => alias.resolve(document) === undefined);
    return { alias: unknown ?? aliases[0], isKnown: unknown === undefined };
}

/** The line of a key in a page's front matter. */
export function lineOfKey(source: string, key: string): number | undefined {
    const line = source.split("\n").findIndex((text) => text.startsWith(`${key}:`));
    return line === -1 ? undefined : line + 1;
}

/** Whether the page's author has marked the page as unfinished. */
export function isDraft({ draft, published }: FrontMatter): boolean {
    return draft === true || published === false;
}

/** The page without its front matter. */
export function bodyOf(source: string): string {
    return source.replace(block, "");
}

/** Shared to save memory, because a site has many pages. */
const none: readonly FrontMatterProblem[] = [];

/**
 * @param yaml the source of the values; problems have no line if the values have no source, such as values from an
 * OpenAPI document
 */
export function frontMatterOf(values: Readonly<Record<string, unknown>>, yaml?: string): ReadFrontMatter {
    const problems: FrontMatterProblem[] = [];
    const report = (key: string, reason: string) => {
        const line = yaml === undefined ? undefined : (lineOfKey(yaml, key) ?? 0) + 1;
        problems.push({ line, reason });
    };
    const { misspelled, withholding, closing } = misspelledKeys(values);
    const fields: (readonly [string, unknown])[] = [...withholding];
    for (const { key, meant } of misspelled) {
        report(key, `the key ${key} is not known: did you mean ${meant}?`);
    }
    for (const [key, { isMeant, instead }] of keysWithoutEffect) {
        if (isMeant(values[key])) {
            report(key, `the key ${key} has no effect: ${instead}`);
        }
    }
    const present = new Set(Object.keys(values).flatMap((key) => fieldsOfKeys.get(key) ?? []));
    for (const [name, { key = name, what, read, unreadable }] of present) {
        const value = values[key] ?? undefined;
        if (value === undefined) {
            continue;
        }
        const converted = read(value);
        if (converted === undefined) {
            report(key, `${key} must be ${what}`);
        }
        fields.push(...(isBlank(converted) ? [] : [[name, converted ?? unreadable?.(value)] as const]));
    }
    if (fields.some(([name, value]) => name === "unlisted" && value === true)) {
        fields.push(["hidden", true], ["noindex", true]);
    }
    const all = {
        ...(Object.fromEntries(fields) as FieldValues),
        icon: typeof values["icon"] === "string" ? values["icon"] : undefined,
        metatags: unlessEmpty(metatagsOfPage(values)),
        readers:
            closing === undefined
                ? unlessEmpty(readersSettingsOf(values))
                : { groups: "nobody" as const, misspelledKey: closing },
        values: jsonValueOf(values) as Readonly<Record<string, Json>>,
    };
    return { meta: withoutUndefined(all), problems: problems.length === 0 ? none : problems };
}

const dayPattern = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![\d-])/;

function dayOf(value: Json | undefined): string | undefined {
    return typeof value === "string" ? dayPattern.exec(value)?.[0] : undefined;
}

/**
 * The day of a page's last change. File times show only when files were fetched, so only the page's own field counts.
 */
export function dayOfChange({ values = {} }: FrontMatter): string | undefined {
    const names = ["lastUpdatedDate", "lastmod", "lastModified", "lastUpdated", "updated", "date"];
    return names.map((name) => dayOf(values[name])).find((day) => day !== undefined);
}
