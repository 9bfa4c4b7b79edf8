import { type AsyncChannel } from "../api/asyncapi/async-document.js";
import { hash } from "node:crypto";
import { posix } from "node:path";
import {
    frontMatterOf,
    readFrontMatter,
    type FrontMatter,
    type FrontMatterProblem,
    bodyOf,
} from "../read/front-matter/front-matter.js";
import { replaced, type FoundFiles } from "../read/files/found-files.js";
import { SiteError } from "../problems/site-error.js";
import { PageSources } from "./page-sources.js";
import { type PageSubject, type SitePage } from "./site-page.js";
import { type ApiModel, type ApiOperation } from "../api/openapi/api-document.js";
import { homeRoute, isMdxFile } from "../read/files/routes.js";
import { Fences, rewriteOutsideCode } from "../read/markdown/fences.js";
import { isReadAsMdx } from "../read/markdown/parse-page.js";
import { markdownToHast } from "../text/markdown-parser.js";
import { textOf } from "../text/syntax-tree.js";
import { copyString, humanize, lineAt } from "../text/strings.js";

/** The context in which pages are processed, one after the other. */
export interface PageWork {
    /** A digest of the code that renders pages. */
    readonly fingerprint: string;
    readonly yieldToEventLoop: () => Promise<void>;
    /** Called with each page before the export processes it, and with undefined after the last page. */
    readonly onPage: ((file: string | undefined) => void) | undefined;
}

export interface ReadPagesOptions extends PageWork {
    readonly content: FoundFiles;
    /** The values that replace `{{name}}` on pages, by name. */
    readonly variables: Readonly<Record<string, string>>;
    /** The part of a document that a page's front matter names. */
    readonly subjectOf: (file: string, meta: FrontMatter) => PageSubject | undefined;
    /** A digest of the code that renders pages, and of site settings that change their look. */
    readonly keyOfRendering: string;
}

/** Reads pages in the given order. */
export async function readPages(files: ReadonlyMap<string, string>, options: ReadPagesOptions): Promise<SitePage[]> {
    const { onPage, yieldToEventLoop } = options;
    const pages: SitePage[] = [];
    const sources = sourcesOf(options);
    for (const [route, file] of files) {
        onPage?.(file);
        pages.push(toPage(route, file, sources, options));
        await yieldToEventLoop();
    }
    onPage?.(undefined);
    return pages;
}

/** Reads one page again after its file has changed. */
export function readPage(route: string, file: string, options: ReadPagesOptions): SitePage {
    return toPage(route, file, sourcesOf(options), options);
}

function sourcesOf({ content, variables }: ReadPagesOptions): PageSources {
    return new PageSources((file) => withVariables(content.readText(file), variables));
}

/** The page of an operation, a model or a channel that no file describes. */
export function madePage(
    route: string,
    subject: ApiOperation | ApiModel | AsyncChannel,
    keyOfRendering: string,
): SitePage {
    const { title, file } = subject;
    const description = subject.kind === "model" ? undefined : subject.description;
    const operation = subject.kind === "operation" ? subject : undefined;
    const { meta: own, problems } = frontMatterOf(operation?.page.metadata ?? {});
    const meta: FrontMatter = {
        ...(description !== undefined && { description: firstSentence(description) }),
        ...(operation?.isDeprecated === true && { deprecated: true }),
        ...own,
        title,
    };
    return {
        route,
        file,
        source: operation?.page.content ?? "",
        hasSource: false,
        meta,
        title,
        label: meta.sidebarTitle ?? title,
        problems,
        subject,
        cacheKey: keyOf(keyOfRendering, file, route, subject.digest),
    };
}

function toPage(route: string, file: string, sources: PageSources, options: ReadPagesOptions): SitePage {
    const source = sources.first(file);
    const { meta, problems } = readMeta(file, source, options.content);
    const subject = options.subjectOf(file, meta);
    const title =
        meta.title ??
        (subject?.kind === "model" ? undefined : subject?.title) ??
        headingOf(source, isMdxFile(file)) ??
        subject?.title ??
        (route === homeRoute ? "Home" : humanize(posix.basename(route)));
    const hasSource = source !== "";
    const { keyOfRendering } = options;
    const page = new PageOfFile(route, file, meta, title, hasSource, subject, problems, sources, keyOfRendering);
    if (!sources.keeps(file)) {
        page.setKey(page.keyOfText(source));
    }
    return page;
}

function readMeta(file: string, source: string, content: FoundFiles): ReturnType<typeof readFrontMatter> {
    const { meta, problems } = readFrontMatter(source);
    const problem = source.trim() === "" ? emptyPage : encodingProblem(file, source, content);
    return problem === undefined ? { meta, problems } : { meta, problems: [problem, ...problems] };
}

const emptyPage: FrontMatterProblem = {
    line: undefined,
    reason: "the page is empty: write its text, or remove the file",
};

/** The first place of a text that is not in an encoding that exports read. */
export function encodingProblem(file: string, text: string, content: FoundFiles): FrontMatterProblem | undefined {
    const at = text.indexOf("\uFFFD");
    const reason = "the file is not UTF-8, so its letters are shown as \uFFFD: save it as UTF-8";
    return at === -1 || content.isDecodable(file) ? undefined : { line: lineAt(text, at), reason };
}

/**
 * A page from a file. The page's text is read again for writing, unless the text is still in memory. This is a class,
 * because V8 needs three times the memory for an object with getters, and a site has many pages.
 */
class PageOfFile implements SitePage {
    readonly label: string;
    #cacheKey: string | undefined;

    constructor(
        readonly route: string,
        readonly file: string,
        readonly meta: FrontMatter,
        readonly title: string,
        readonly hasSource: boolean,
        readonly subject: PageSubject | undefined,
        readonly problems: readonly FrontMatterProblem[],
        private readonly sources: PageSources,
        private readonly keyOfRendering: string,
    ) {
        this.label = meta.sidebarTitle ?? title;
    }

    /**
     * If the text stays in memory, computes the key on first use: a live preview needs no keys, and reads all pages
     * before it shows the first.
     */
    get cacheKey(): string {
        return (this.#cacheKey ??= this.keyOfText(this.#whole()));
    }

    get source(): string {
        return this.#whole();
    }

    setKey(key: string): void {
        this.#cacheKey = key;
    }

    keyOfText(text: string): string {
        return keyOf(this.keyOfRendering, this.file, this.route, this.subject?.digest ?? "", text);
    }

    #whole(): string {
        return this.sources.again(this.file, (text) => {
            if (this.keyOfText(text) !== this.#cacheKey) {
                throw new SiteError(this.file, undefined, replaced);
            }
        });
    }
}

function keyOf(...parts: readonly string[]): string {
    return hash("sha256", parts.join("\0"), "base64url");
}

/** Unknown names remain: in code, `{{name}}` belongs to another template language. */
function withVariables(text: string, variables: Readonly<Record<string, string>>): string {
    return text.includes("{{")
        ? text.replace(/\{\{ *([\w-]+) *\}\}/g, (whole, name: string) =>
              Object.hasOwn(variables, name) ? (variables[name] as string) : whole,
          )
        : text;
}

function firstSentence(text: string): string {
    const [line] = text.trim().split(/\n/, 1);
    return (
        /^.{1,200}?(?<!\b(?:e\.g|i\.e|etc|vs))[.!?](?=\s|$)/.exec(line ?? "")?.[0] ?? (line ?? "").slice(0, 200)
    ).replace(/[`*_[\]]/g, "");
}

/**
 * The text of a page's first first-level heading, or of its only second-level heading if this heading begins the page.
 * Planning runs no code, so expressions are left out unless they are strings.
 */
function headingOf(source: string, isMdx: boolean): string | undefined {
    const body = bodyOf(source);
    const line = (/^\s*(# [^\n]+)/.exec(body)?.[1] ?? headingWithin(body))?.replace(/(?<!\s)\s*\{#[^{}]*\}\s*$/, "");
    if (line === undefined) {
        return undefined;
    }
    const isPlain = /^#+ [A-Za-z\d ,-]+$/.test(line);
    const shown =
        line.includes("{") && isReadAsMdx(source, isMdx)
            ? rewriteOutsideCode(line, (part) => part.replace(expression, "$2"))
            : line;
    const text = (isPlain ? line.replace(/^#+ /, "") : textOf(markdownToHast(shown, { position: false }))).trim();
    return text === "" ? undefined : copyString(text);
}

/** Matches an expression of MDX; the second group is the text of a string. */
const expression = /(?<!\\)\{(?:\s*(["'])([^"'{}\\]*)\1\s*|[^{}]*)\}/g;

/** The heading's line, in the notation with `#`. */
function headingWithin(body: string): string | undefined {
    const fences = new Fences();
    const lines = body.split("\n").filter((line) => !fences.holds(line) && !/^\s*$|^import\s/.test(line));
    for (const [at, line] of lines.entries()) {
        if (/^# /.test(line)) {
            return line;
        }
        if (/^=+\s*$/.test(line) && at > 0) {
            return `# ${lines[at - 1]}`;
        }
    }
    const [first = "", ...others] = lines;
    return /^## /.test(first) && !others.some((line) => section.test(line)) ? first : undefined;
}

/** Also finds a heading that is written as an element. */
const section = /^## |^\s*<(?:h[12]|Heading)\b/;
