import { hash } from "node:crypto";
import { posix } from "node:path";
import { SiteError } from "../problems/site-error.js";
import { encodingProblem } from "../read/files/file-warnings.js";
import { replaced, type FoundFiles } from "../read/files/found-files.js";
import { homeRoute, isMdxFile } from "../read/files/routes.js";
import { readFrontMatter, type FrontMatter, type FrontMatterProblem } from "../read/front-matter/front-matter.js";
import { type SourceFiles } from "../read/files/source-files.js";
import { type SiteSettings } from "../read/settings/site-settings.js";
import { getOrMake } from "../text/get-or-make.js";
import { humanize } from "../text/strings.js";
import { type KnownFiles, type PageFile } from "./known-files.js";
import { headingOf } from "./page-heading.js";
import { PageSources } from "./page-sources.js";
import { PageSubjects } from "./page-subjects.js";
import { withVariables } from "./page-variables.js";
import { type PageSubject } from "../api/page-subject.js";
import { keyOfPage, type SitePage } from "./site-page.js";

/** The context in which pages are processed, one after the other. */
export interface PageWork {
    /** A digest of the code that renders pages. */
    readonly fingerprint: string;
    readonly yieldToEventLoop: () => Promise<void>;
    /** Called with each page before the export processes it, and with undefined after the last page. */
    readonly onPage: ((file: string | undefined) => void) | undefined;
    /** The files of the last export; undefined without a cache. */
    readonly knownFiles?: KnownFiles | undefined;
}

interface SitePagesOptions extends PageWork {
    readonly settings: SiteSettings;
    /** Whether pages show what only certain readers may see. */
    readonly showsAll: boolean;
    /** A digest of the code that renders pages, and of site settings that change their look. */
    readonly keyOfRendering: string;
    /** The names of pages in the navigation, by route, if they are not the pages' own. */
    readonly labels: ReadonlyMap<string, string> | undefined;
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
        const { knownFiles, fingerprint, settings } = options;
        knownFiles?.setContext(keyOfPage(fingerprint, process.version, JSON.stringify(settings.variables)));
        const metaOf = (file: string) => getOrMake(this.#ahead, file, () => this.#readOnce(file)).meta;
        this.subjects = new PageSubjects(files, candidates, { ...options, metaOf });
    }

    #createSources(): PageSources {
        const { variables = {} } = this.options.settings;
        return new PageSources((file) => withVariables(this.#content.readText(file), variables, isMdxFile(file)));
    }

    /** Reads pages in the given order. */
    async readPages(files: ReadonlyMap<string, string>): Promise<SitePage[]> {
        const { onPage, yieldToEventLoop } = this.options;
        const pages: SitePage[] = [];
        let current: string | null | undefined = null;
        for (const [route, file] of files) {
            const known = this.#ahead.get(file) ?? this.options.knownFiles?.pageOf(file);
            // Reporting each page would take longer than the known pages themselves.
            const page = known === undefined || namesSubject(known.meta) ? file : undefined;
            if (page !== current) {
                onPage?.((current = page));
            }
            const read = known ?? this.#readNew(file);
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

    /** Reads a page, unless it is unchanged since the last export. */
    #readOnce(file: string): PageFile {
        return this.options.knownFiles?.pageOf(file) ?? this.#readNew(file);
    }

    #readNew(file: string): PageFile {
        const read = this.#read(file, this.#sources);
        this.options.knownFiles?.addPage(file, read);
        return read;
    }

    #read(file: string, sources: PageSources): PageFile {
        const source = sources.first(file);
        const { meta, problems } = readFrontMatter(source);
        const problem = source.trim() === "" ? emptyPage : encodingProblem(file, source, this.#content);
        return {
            meta,
            problems: problem === undefined ? problems : [problem, ...problems],
            hasSource: source !== "",
            heading: meta.title === undefined ? headingOf(source, isMdxFile(file)) : undefined,
            digest: sources.keeps(file) && this.options.knownFiles === undefined ? undefined : digestOf(source),
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
        const label = this.options.labels?.get(route) || read.meta.sidebarTitle || title;
        return new PageOfFile(route, file, read, { title, label }, subject, sources, this.options.keyOfRendering);
    }
}

/** Whether a page shows a part of a document, which the page's processing may be the first to read. */
function namesSubject({ openapi, openapiSchema, asyncapi }: FrontMatter): boolean {
    return (openapi ?? openapiSchema ?? asyncapi) !== undefined;
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
    readonly title: string;
    readonly label: string;
    readonly meta: FrontMatter;
    readonly problems: readonly FrontMatterProblem[];
    readonly hasSource: boolean;
    #cacheKey: string | undefined;

    constructor(
        readonly route: string,
        readonly file: string,
        { meta, problems, hasSource, digest }: PageFile,
        { title, label }: Pick<SitePage, "title" | "label">,
        readonly subject: PageSubject | undefined,
        private readonly sources: PageSources,
        private readonly keyOfRendering: string,
    ) {
        this.title = title;
        this.label = label;
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
