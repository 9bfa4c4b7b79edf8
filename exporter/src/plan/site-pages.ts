import { getHeapStatistics } from "node:v8";
import { hash } from "node:crypto";
import { posix } from "node:path";
import { SiteError } from "../problems/site-error.js";
import { encodingProblem } from "../read/files/file-warnings.js";
import { replaced, type FoundFiles } from "../read/files/found-files.js";
import { homeRoute, isMdxFile } from "../read/files/routes.js";
import {
    bodyOf,
    readFrontMatter,
    type FrontMatter,
    type FrontMatterProblem,
} from "../read/front-matter/front-matter.js";
import { Fences, rewriteOutsideCode } from "../read/markdown/fences.js";
import { isReadAsMdx } from "../read/markdown/parse-page.js";
import { type SourceFiles } from "../read/files/source-files.js";
import { type SiteSettings } from "../read/settings/site-settings.js";
import { getOrMake } from "../text/get-or-make.js";
import { markdownToHast } from "../text/markdown-parser.js";
import { copyString, humanize } from "../text/strings.js";
import { textOf } from "../text/syntax-tree.js";
import { PageSubjects } from "./page-subjects.js";
import { keyOfPage, type PageSubject, type SitePage } from "./site-page.js";

/** The context in which pages are processed, one after the other. */
export interface PageWork {
    /** A digest of the code that renders pages. */
    readonly fingerprint: string;
    readonly yieldToEventLoop: () => Promise<void>;
    /** Called with each page before the export processes it, and with undefined after the last page. */
    readonly onPage: ((file: string | undefined) => void) | undefined;
}

interface SitePagesOptions extends PageWork {
    readonly settings: SiteSettings;
    /** Whether pages show what only certain readers may see. */
    readonly showsAll: boolean;
    /** A digest of the code that renders pages, and of site settings that change their look. */
    readonly keyOfRendering: string;
}

/** The facts of a page that its file alone determines. */
interface PageFile {
    readonly meta: FrontMatter;
    readonly problems: readonly FrontMatterProblem[];
    readonly hasSource: boolean;
    /** The first heading, if the front matter has no title. */
    readonly heading: string | undefined;
    /** A digest of the text; undefined if the text is still in memory. */
    readonly digest: string | undefined;
}

/** The pages of a site that files describe. Planning reads each file once. */
export class SitePages {
    /** The operations, models and channels of documents that pages may show. */
    readonly subjects: PageSubjects;
    /** Files that were read before all pages were known. */
    readonly #ahead = new Map<string, PageFile>();
    readonly #content: FoundFiles;
    readonly #sources: PageSources;

    /** @param candidates the files that may be pages, by route */
    constructor(
        files: SourceFiles,
        candidates: ReadonlyMap<string, string>,
        private readonly options: SitePagesOptions,
    ) {
        this.#content = files.content;
        this.#sources = this.#createSources();
        const metaOf = (file: string) => getOrMake(this.#ahead, file, () => this.#read(file, this.#sources)).meta;
        this.subjects = new PageSubjects(files, candidates, { ...options, metaOf });
    }

    #createSources(): PageSources {
        const { variables = {} } = this.options.settings;
        return new PageSources((file) => withVariables(this.#content.readText(file), variables));
    }

    /** Reads pages in the given order. */
    async readPages(files: ReadonlyMap<string, string>): Promise<SitePage[]> {
        const { onPage, yieldToEventLoop } = this.options;
        const pages: SitePage[] = [];
        for (const [route, file] of files) {
            onPage?.(file);
            const read = this.#ahead.get(file) ?? this.#read(file, this.#sources);
            this.#ahead.delete(file);
            pages.push(this.#toPage(route, file, read, this.#sources));
            await yieldToEventLoop();
        }
        onPage?.(undefined);
        this.#ahead.clear();
        return pages;
    }

    /** Reads one page again after its file has changed. @throws SiteError */
    readonly readAgain = (route: string, file: string): SitePage => {
        const sources = this.#createSources();
        return this.#toPage(route, file, this.#read(file, sources), sources);
    };

    #read(file: string, sources: PageSources): PageFile {
        const source = sources.first(file);
        const { meta, problems } = readFrontMatter(source);
        const problem = source.trim() === "" ? emptyPage : encodingProblem(file, source, this.#content);
        return {
            meta,
            problems: problem === undefined ? problems : [problem, ...problems],
            hasSource: source !== "",
            heading: meta.title === undefined ? headingOf(source, isMdxFile(file)) : undefined,
            digest: sources.keeps(file) ? undefined : digestOf(source),
        };
    }

    #toPage(route: string, file: string, read: PageFile, sources: PageSources): SitePage {
        const subject = this.subjects.of(file, read.meta);
        const title =
            read.meta.title ??
            (subject?.kind === "model" ? undefined : subject?.title) ??
            read.heading ??
            subject?.title ??
            (route === homeRoute ? "Home" : humanize(posix.basename(route)));
        return new PageOfFile(route, file, read, title, subject, sources, this.options.keyOfRendering);
    }
}

const emptyPage: FrontMatterProblem = {
    line: undefined,
    reason: "the page is empty: write its text, or remove the file",
};

/**
 * A page from a file. The page's text is read again for writing, unless the text is still in memory. This is a class,
 * because V8 needs three times the memory for an object with getters, and a site has many pages.
 */
class PageOfFile implements SitePage {
    readonly label: string;
    readonly meta: FrontMatter;
    readonly problems: readonly FrontMatterProblem[];
    readonly hasSource: boolean;
    #cacheKey: string | undefined;

    constructor(
        readonly route: string,
        readonly file: string,
        { meta, problems, hasSource, digest }: PageFile,
        readonly title: string,
        readonly subject: PageSubject | undefined,
        private readonly sources: PageSources,
        private readonly keyOfRendering: string,
    ) {
        this.label = meta.sidebarTitle ?? title;
        this.meta = meta;
        this.problems = problems;
        this.hasSource = hasSource;
        this.#cacheKey = digest && this.#keyOf(digest);
    }

    /**
     * If the text stays in memory, computes the key on first use: a live preview needs no keys, and reads all pages
     * before it shows the first.
     */
    get cacheKey(): string {
        return (this.#cacheKey ??= this.#keyOf(digestOf(this.source)));
    }

    get source(): string {
        return this.sources.again(this.file, (text) => {
            if (this.#keyOf(digestOf(text)) !== this.#cacheKey) {
                throw new SiteError(this.file, undefined, replaced);
            }
        });
    }

    #keyOf(digest: string): string {
        return keyOfPage(this.keyOfRendering, this.file, this.route, this.subject?.digest ?? "", digest);
    }
}

function digestOf(text: string): string {
    return hash("sha256", text, "base64url");
}

/**
 * The limit for the text of all pages in memory. A larger site is read twice, because its text does not fit into the
 * memory of an export.
 */
const maxCharacters = Math.min(16_000_000, getHeapStatistics().heap_size_limit / 16);

/** The text of pages, which is needed to plan a page and again to write it. */
export class PageSources {
    readonly #kept = new Map<string, string>();
    #room: number;
    #last: { readonly file: string; readonly source: string } | undefined;

    /** @param read returns a file's text @param room the maximum number of characters in memory */
    constructor(
        private readonly read: (file: string) => string,
        room = maxCharacters,
    ) {
        this.#room = room;
    }

    /** Reads a page's text for planning. */
    first(file: string): string {
        const source = this.read(file);
        if (source.length <= this.#room) {
            this.#kept.set(file, source);
            this.#room -= source.length;
        }
        return source;
    }

    /** Whether the text of a file is still in memory. */
    keeps(file: string): boolean {
        return this.#kept.has(file);
    }

    /** @param check throws if the text has changed since the first read */
    again(file: string, check: (source: string) => void): string {
        const kept = this.#last?.file === file ? this.#last.source : this.#kept.get(file);
        if (kept !== undefined) {
            return kept;
        }
        const source = this.read(file);
        check(source);
        this.#last = { file, source };
        return source;
    }
}

/** Unknown names remain: in code, `{{name}}` belongs to another template language. */
function withVariables(text: string, variables: Readonly<Record<string, string>>): string {
    return text.includes("{{")
        ? text.replace(/\{\{ *([\w-]+) *\}\}/g, (whole, name: string) =>
              Object.hasOwn(variables, name) ? (variables[name] as string) : whole,
          )
        : text;
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
