import { getOrMake } from "../../text/get-or-make.js";
import { posix } from "node:path";
import { type FoundFiles } from "../../read/files/found-files.js";
import { type FoundWarning } from "../../problems/warning-log.js";
import { parseDocument, type ParsedDocument } from "./parse-document.js";
import {
    beginsDocument,
    documentName,
    documentText,
    maxDocumentBytes,
    restrictionWarning,
} from "./restricted-files.js";

/** The maximum number of files that are searched for documents that no setting names. */
const maxCandidates = 200;

/** A document, with the subjects that get pages, and the document's problems. */
export interface ReadDocument<P> extends ParsedDocument {
    readonly subjects: readonly P[];
    readonly problems: readonly string[];
}

/** A part of a document that a page or the navigation names. */
export interface Wanted<D, T> {
    /** The document that the page or the navigation names together with the part. */
    readonly source: string | undefined;
    readonly look: (document: D) => T | undefined;
}

interface SiteDocumentsOptions {
    readonly content: FoundFiles;
    /** All files that may be documents. */
    readonly files: ReadonlySet<string>;
    /** Whether pages show parts that only certain readers may see. */
    readonly showsAll: boolean;
}

/** The documents of a site that follow one specification. Each document is read once, on first use. */
export class SiteDocuments<P, D extends ReadDocument<P>> {
    /** The files of documents with parts that only certain readers may see, which pages do not show. */
    readonly privateDocuments = new Set<string>();
    readonly problems: FoundWarning[] = [];
    /** The documents as the settings name them, by their names without a leading slash. */
    readonly #ofSettings = new Map<string, string>();
    /** The documents by their names without a leading slash, or the reason why a document is unreadable. */
    readonly #documents = new Map<string, D | string>();
    #others: readonly string[] | undefined;
    /** Whether the site has more files than are searched for documents. */
    #isCut = false;

    constructor(
        /** The specification's name, such as OpenAPI; in lower case, it is the first key of a document. */
        private readonly name: string,
        /** Returns undefined for a document of another specification. */
        private readonly read: (parsed: ParsedDocument) => D | undefined,
        private readonly options: SiteDocumentsOptions,
    ) {}

    /** Adds documents that the settings name, for pages that name no document. */
    addSources(sources: readonly string[]): void {
        sources.forEach((source) => this.#ofSettings.set(nameOf(source), source));
    }

    /** All subjects that pages can be generated from. */
    subjects(sources: readonly string[]): P[] {
        return sources.flatMap((source) => {
            const document = this.#document(source);
            return typeof document === "string" ? [] : document.subjects;
        });
    }

    /**
     * Finds the part that a page names, in the document that the page names. If the page names no document, searches
     * the documents of the surrounding navigation or, without any, of the settings. Then searches all other documents
     * of the site, as platforms do, regardless of their names. If nothing is found, the reason may be an unreadable
     * document.
     */
    find<T>(
        { source, look }: Wanted<D, T>,
        at: { readonly page: string; readonly around: readonly string[] },
        notFound: () => FoundWarning,
    ): T | undefined {
        const named = source && sourceFrom(at.page, source);
        const tried: (D | string)[] = [];
        for (const each of named === undefined ? this.#sourcesAround(at.around) : [named]) {
            const document = this.#document(each);
            const found = typeof document === "string" ? undefined : look(document);
            if (found !== undefined) {
                return found;
            }
            tried.push(document);
        }
        const none = `the site has no ${this.name} document: add one, or remove the references to it from the pages`;
        const reason = tried.length === 0 ? none : tried.find((document) => typeof document === "string");
        const problem = reason === undefined ? notFound() : { ...notFound(), kind: "openapi" as const, reason };
        const cut = this.#isCut ? ` (searched in the first ${maxCandidates} files in JSON and YAML)` : "";
        this.problems.push({ ...problem, reason: problem.reason + cut });
        return undefined;
    }

    *#sourcesAround(around: readonly string[]): Generator<string> {
        yield* around.length === 0 ? this.#ofSettings.values() : around;
        yield* this.#otherSources();
    }

    #otherSources(): readonly string[] {
        if (this.#others === undefined) {
            const candidates = [...this.options.files].filter((file) => documentName.test(file));
            this.#isCut = candidates.length > maxCandidates;
            this.#others = candidates.slice(0, maxCandidates).filter((file) => this.#looksLikeDocument(file));
        }
        return this.#others;
    }

    #looksLikeDocument(file: string): boolean {
        const keys = this.name === "OpenAPI" ? "openapi|swagger" : this.name.toLowerCase();
        try {
            return beginsDocument(documentText(this.options.content, file) ?? "", keys);
        } catch {
            return false;
        }
    }

    /** Reports an unreadable document at the file itself, or where the settings name it. */
    #document(source: string): D | string {
        const named = nameOf(source);
        return getOrMake(this.#documents, named, () => {
            const file = this.fileOf(source);
            const document = file === undefined ? this.#reasonWithoutFile(source) : this.#read(file);
            const value = this.#ofSettings.get(named);
            if (typeof document === "string" && file !== undefined) {
                this.#report(file, document);
            } else if (typeof document === "string" && value !== undefined) {
                this.problems.push({ kind: "openapi", setting: { value }, reason: document });
            }
            return document;
        });
    }

    /** The file of a document that a setting names, or that a page names by a relative path. */
    fileOf(source: string, page = ""): string | undefined {
        const { files } = this.options;
        const named = nameOf(sourceFrom(page, source)).normalize("NFC");
        const names = ["", ".json", ".yaml", ".yml"].map((ending) => named + ending);
        return names.find((name) => files.has(name)) ?? [...files].find((file) => names.includes(posix.basename(file)));
    }

    /** The files of the documents that the settings name, even if no page shows them. */
    get filesOfSettings(): readonly string[] {
        return [...this.#ofSettings.values()].flatMap((source) => this.fileOf(source) ?? []);
    }

    #reasonWithoutFile(source: string): string {
        return /^https?:/i.test(source)
            ? `the ${this.name} document ${source} is not fetched: put a copy into the site`
            : `the site has no ${this.name} document ${source}`;
    }

    #read(file: string): D | string {
        const { content, showsAll } = this.options;
        const bytes = content.bytesOf(file);
        if (bytes > maxDocumentBytes) {
            return `the document has ${bytes} bytes, but may have only ${maxDocumentBytes}: split the document`;
        }
        const readText = (name: string) => documentText(content, name);
        const parsed = parseDocument(file, readText, showsAll, ({ reason, ...place }) =>
            this.problems.push({ kind: "openapi", ...place, reason }),
        );
        const document = parsed && this.read(parsed);
        if (document === undefined) {
            return `this is not a valid ${this.name} document in JSON or YAML`;
        }
        document.problems.forEach((reason) => this.#report(file, reason));
        if (document.isPrivate) {
            this.problems.push(restrictionWarning(file, showsAll));
            if (!showsAll) {
                this.privateDocuments.add(file);
            }
        }
        return document;
    }

    #report(file: string, reason: string): void {
        this.problems.push({ kind: "openapi", file, line: undefined, reason });
    }
}

/** The part of a document that a page names: `OrderItem`, optionally after the document: `openapi.json OrderItem`. */
export function withSource(wanted: string): { source: string | undefined; name: string } {
    const [, source, name = ""] = /^(?:(\S+)\s+)?(\S+)$/.exec(wanted.trim()) ?? [];
    return { source, name };
}

function sourceFrom(page: string, source: string): string {
    return source.startsWith(".") ? posix.join(posix.dirname(page), source) : source;
}

/** A setting may name the file with a leading slash, which the search for documents omits. */
function nameOf(source: string): string {
    return posix.normalize(source.replace(/^\/+/, ""));
}
