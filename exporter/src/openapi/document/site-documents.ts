import { getOrMake } from "../../text/get-or-make.js";
import { posix } from "node:path";
import { type FoundFiles } from "../../files/found-files.js";
import { type SiteWarning } from "../../problems/warnings.js";
import { DocumentProblems } from "./document-problems.js";
import { parseDocument, type ParsedDocument } from "./parse-document.js";

const shownDocument =
    "x-mint.groups and x-mint-enum have no effect: an exported site has no login, and everyone who reaches the site reads the whole document";

const cutDocument =
    "parts of this document are for certain readers (x-mint.groups, x-mint-enum): pages show them to nobody, and the document itself is not published";

/** Of documents that are published, the largest have 12 MB; one of 16 MB in YAML takes most of a job's memory. */
const maxDocumentBytes = 16 * 1024 * 1024;

/** How many files are read in search of documents that no setting names. */
const maxCandidates = 200;

/** What an export shows of a document, and what is wrong with it. */
interface ReadDocument extends ParsedDocument {
    readonly problems: readonly string[];
}

export interface SiteDocumentsOptions {
    readonly content: FoundFiles;
    /** All files that may be documents. */
    readonly files: ReadonlySet<string>;
    /** The documents that the settings name. */
    readonly sources: readonly string[];
    /** Whether pages show what is for certain readers. */
    readonly showsAll: boolean;
}

/** What tells the documents of one specification from others. */
export interface Specification<D extends ReadDocument> {
    /** Such as OpenAPI; in lower case, it is the key with which documents begin. */
    readonly name: string;
    /** Undefined for what is no such document. */
    readonly read: (file: string, parsed: ParsedDocument) => D | undefined;
}

/** The documents of a site that follow one specification. Each is read once, when it is first needed. */
export class SiteDocuments<D extends ReadDocument> {
    /** Files of documents that are not published, because parts of them are for certain readers. */
    readonly unpublished = new Set<string>();
    readonly #problems: DocumentProblems;
    /** The documents that the settings name, as they name them, by their names without a slash in front. */
    readonly #ofSettings = new Map<string, string>();
    readonly #documents = new Map<string, D | undefined>();
    #others: readonly string[] | undefined;

    constructor(
        private readonly specification: Specification<D>,
        private readonly options: SiteDocumentsOptions,
    ) {
        this.#problems = new DocumentProblems(specification.name);
        this.name(options.sources);
    }

    /** Documents that the settings name; pages that name none may mean them. */
    name(sources: readonly string[]): void {
        sources.forEach((source) => this.#ofSettings.set(nameOf(source), source));
    }

    /** Call it once, when all pages have been read. */
    problems(): SiteWarning[] {
        return this.#problems.all(() => this.#ofSettings.size > 0 || this.#otherNames().length > 0);
    }

    addProblem(problem: SiteWarning): void {
        this.#problems.add(problem);
    }

    /** Undefined for a document that cannot be had, which is told. */
    document(source: string): D | undefined {
        const named = nameOf(source);
        return getOrMake(this.#documents, named, () => this.#find(source, named));
    }

    /**
     * Looks for something in the document that a page names. Without a name it may be in those around the place or of the
     * settings, and then in all others of the site: platforms look in all documents of a repository, whatever their names.
     */
    find<T>(
        look: (document: D) => T | undefined,
        at: { readonly page: string; readonly source: string | undefined; readonly around: readonly string[] },
        notFound: () => SiteWarning,
    ): T | undefined {
        const { page, source, around } = at;
        const named = source?.startsWith(".") === true ? posix.join(posix.dirname(page), source) : source;
        const found =
            named === undefined
                ? (this.#first(around.length === 0 ? this.#ofSettings.values() : around, look) ??
                  this.#first(this.#otherNames(), look))
                : this.#first([named], look);
        if (found === undefined) {
            this.#problems.addNotFound(notFound(), named && nameOf(named));
        }
        return found;
    }

    #first<T>(sources: Iterable<string>, look: (document: D) => T | undefined): T | undefined {
        for (const source of sources) {
            const document = this.document(source);
            const found = document && look(document);
            if (found !== undefined) {
                return found;
            }
        }
        return undefined;
    }

    #otherNames(): readonly string[] {
        this.#others ??= [...this.options.files]
            .filter((file) => /\.(?:json|ya?ml)$/i.test(file))
            .slice(0, maxCandidates)
            .filter((file) => this.#looksLikeDocument(file));
        return this.#others;
    }

    #looksLikeDocument(file: string): boolean {
        const key = this.specification.name.toLowerCase();
        try {
            return new RegExp(`^[\\s{]*["']?${key}["']?\\s*:`, "m").test(this.#textOf(file) ?? "");
        } catch {
            return false;
        }
    }

    #find(source: string, named: string): D | undefined {
        const { files } = this.options;
        const { name } = this.specification;
        const missing = (file: string, reason: string, isPlaced = this.#ofSettings.has(named)): undefined => {
            this.#problems.addMissing(named, { kind: "openapi", file, line: undefined, reason }, isPlaced);
        };
        if (/^https?:/i.test(source)) {
            return missing("docs.json", `the ${name} document ${source} is not fetched: put a copy into the site`);
        }
        const endings = ["", ".json", ".yaml", ".yml"];
        const file =
            endings.map((ending) => named + ending).find((candidate) => files.has(candidate)) ??
            [...files].find((candidate) => endings.some((ending) => posix.basename(candidate) === named + ending));
        if (file === undefined) {
            return missing("docs.json", `the site has no ${name} document ${source}`);
        }
        const bytes = this.options.content.bytesOf(file);
        return bytes > maxDocumentBytes
            ? missing(file, `the document has ${bytes} bytes, and may have ${maxDocumentBytes}: split it up`, true)
            : (this.#read(file) ?? missing(file, `this is no ${name} document in JSON or YAML`, true));
    }

    /** Undefined for what is no file of the site, and for one that is too large. */
    #textOf(file: string): string | undefined {
        const { content } = this.options;
        return content.has(file) && content.bytesOf(file) <= maxDocumentBytes
            ? content.readText(file, maxDocumentBytes)
            : undefined;
    }

    #read(file: string): D | undefined {
        const { showsAll } = this.options;
        const parsed = parseDocument(file, (name) => this.#textOf(name), showsAll);
        const document = parsed && this.specification.read(file, parsed);
        if (document === undefined) {
            return undefined;
        }
        document.problems.forEach((reason) => this.#problems.add({ kind: "openapi", file, line: undefined, reason }));
        document.lost.forEach(({ reference, ...place }) =>
            this.#problems.add({ kind: "openapi", ...place, reason: reasonOf(reference) }),
        );
        if (document.isLimited) {
            const reason = showsAll ? shownDocument : cutDocument;
            this.#problems.add({ kind: "access", file, line: undefined, reason });
            if (!showsAll) {
                document.files.forEach((name) => this.unpublished.add(name));
            }
        }
        return document;
    }
}

/** What a page names in a document: `OrderItem`, or with the document before it: `openapi.json OrderItem`. */
export function withSource(wanted: string): { source: string | undefined; name: string } {
    const [, source, name = ""] = /^(?:(\S+)\s+)?(\S+)$/.exec(wanted.trim()) ?? [];
    return { source, name };
}

/** A setting may name the file with a slash in front, and a search for documents finds it without one. */
function nameOf(source: string): string {
    return posix.normalize(source.replace(/^\/+/, ""));
}

function reasonOf(reference: string): string {
    return /^https?:/i.test(reference)
        ? `the reference ${reference} leads to another server, and is not followed: put a copy into the site`
        : `the reference ${reference} has no target: what it refers to is missing from the pages`;
}
