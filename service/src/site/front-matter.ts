import { LineCounter, parseDocument, visit, type Alias, type Document } from "yaml";
import { SiteError } from "./site-error.js";

/** What a page says about itself between the two `---` lines at its top. Unknown keys are ignored. */
export interface FrontMatter {
    readonly title?: string;
    readonly description?: string;
    /** The title in the navigation, where space is short. */
    readonly sidebarTitle?: string;
    /** Not in the navigation, and therefore not exported. */
    readonly hidden?: boolean;
    /** Exported, but search engines are asked to leave it out. */
    readonly noindex?: boolean;
    /** Place among its neighbours when the folder is the navigation; pages without it follow by name. */
    readonly order?: number;
}

const block = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** Reads a page's front matter; a page without any is fine, a broken one throws with its line. */
export function readFrontMatter(file: string, source: string): FrontMatter {
    const yaml = block.exec(source)?.[1];
    if (yaml === undefined) {
        if (/^---[ \t]*\r?\n[ \t]*[\w-]+:/.test(source)) {
            throw new SiteError(file, 1, "the front matter that starts here has no closing ---");
        }
        return {};
    }
    const lineCounter = new LineCounter();
    const document = parseDocument(yaml, { lineCounter, prettyErrors: false });
    const errorAt = (offset: number, reason: string, cause: unknown) => {
        const { line } = lineCounter.linePos(offset);
        return new SiteError(file, line + 1, `the front matter is not valid YAML: ${reason}`, { cause });
    };
    const problem = document.errors[0];
    if (problem !== undefined) throw errorAt(problem.pos[0], problem.message, problem);
    let values: unknown;
    try {
        values = document.toJS();
    } catch (error) {
        const reason = `${(error as Error).message}; a text that begins with * must be in quotes`;
        throw errorAt(offsetOfBadAlias(document), reason, error);
    }
    if (values === null) return {};
    if (typeof values !== "object" || Array.isArray(values)) {
        throw new SiteError(file, 2, "the front matter must be keys and values, such as title: Start");
    }
    return pickKnown(file, yaml, values as Record<string, unknown>);
}

/** Where the first alias without an anchor stands; when all have one, they are too many, and the first will do. */
function offsetOfBadAlias(document: Document): number {
    const aliases: Alias[] = [];
    visit(document, { Alias: (_, alias) => void aliases.push(alias) });
    const bad = aliases.find((alias) => alias.resolve(document) === undefined) ?? aliases[0];
    return bad?.range?.[0] ?? 0;
}

/** The page without its front matter. */
export function bodyOf(source: string): string {
    return source.replace(block, "");
}

function pickKnown(file: string, yaml: string, values: Record<string, unknown>): FrontMatter {
    const at = (key: string) => yaml.split("\n").findIndex((line) => line.startsWith(`${key}:`)) + 2;
    const given = (key: string) => values[key] !== undefined && values[key] !== null;
    const text = (key: string): string | undefined => {
        const value = values[key];
        if (!given(key)) return undefined;
        if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
        throw new SiteError(file, at(key), `${key} must be a text`);
    };
    const flag = (key: string): boolean | undefined => {
        if (!given(key)) return undefined;
        if (typeof values[key] === "boolean") return values[key];
        throw new SiteError(file, at(key), `${key} must be true or false`);
    };
    const number = (key: string): number | undefined => {
        if (!given(key)) return undefined;
        if (typeof values[key] === "number") return values[key];
        throw new SiteError(file, at(key), `${key} must be a number`);
    };
    return withoutUndefined({
        title: text("title"),
        description: text("description"),
        sidebarTitle: text("sidebarTitle"),
        hidden: flag("hidden"),
        noindex: flag("noindex"),
        order: number("order"),
    });
}

function withoutUndefined<T extends object>(values: { [K in keyof T]: T[K] | undefined }): T {
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
}
