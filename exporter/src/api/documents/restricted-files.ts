import { type FoundFiles } from "../../read/files/found-files.js";
import { type SiteWarning } from "../../problems/warning-log.js";
import { getOrMake } from "../../text/get-or-make.js";
import { contentOf } from "./document-content.js";
import { placesNamedIn } from "./document-files.js";
import { isNode } from "./document-nodes.js";
import { hasPrivateNodes } from "./private-nodes.js";

/** The largest published documents are 12 MB in size; parsing a YAML document of 16 MB takes most of a job's memory. */
export const maxDocumentBytes = 16 * 1024 * 1024;

const shownDocument =
    "x-mint.groups and x-mint-enum have no effect: an exported site has no login, and everyone who reaches the site can read the whole document";

const cutDocument =
    "parts of this document are for certain readers (x-mint.groups, x-mint-enum): pages show them to nobody, and the document itself is not published";

const unreadableDocument =
    "this file contains x-mint, but cannot be read completely, so it is not published: correct or split the file, or remove x-mint";

export const documentName = /\.(?:json|ya?ml)$/i;

/** Pages, pictures, films, fonts, archives, styles and scripts: files that contain no document. */
const mediaName =
    /\.(?:mdx?|html?|png|jpe?g|gif|svg|webp|avif|ico|mp[34]|mov|webm|wav|og[gv]|woff2?|ttf|otf|eot|pdf|zip|t?gz|css|[cm]?js)$/i;

/** The files that may be documents or belong to one, regardless of their endings. */
export function possibleDocuments(files: readonly string[]): string[] {
    return files.filter((file) => !mediaName.test(file));
}

/** Whether a line of a text may begin an API document. @param keys the keys that begin one, separated by bars */
export function beginsDocument(text: string, keys = "openapi|swagger|asyncapi"): boolean {
    return new RegExp(`^(?:[^\\S\\n]|\\{)*["']?(?:${keys})["']?\\s*:`, "m").test(text);
}

/** The warning about a document with parts that only certain readers may see. */
export function restrictionWarning(file: string, showsAll: boolean): SiteWarning {
    return { kind: "access", file, line: undefined, reason: showsAll ? shownDocument : cutDocument };
}

/** Returns the text of a document's file; undefined if the site has no file of this name, or the file is too large. */
export function documentText(content: FoundFiles, file: string): string | undefined {
    return content.has(file) && content.bytesOf(file) <= maxDocumentBytes
        ? content.readText(file, maxDocumentBytes)
        : undefined;
}

/** The references between the files of API documents. Each file is read once. */
export class DocumentReferences {
    readonly #places = new Map<string, readonly string[]>();

    constructor(
        private readonly content: FoundFiles,
        private readonly domain: string,
    ) {}

    /**
     * The given files, and all files of the site that they refer to, directly or through other files. The list contains
     * more files than pages show, such as examples and unreadable files.
     */
    filesOf(documents: Iterable<string>): ReadonlySet<string> {
        const files = new Set(documents);
        for (const file of files) {
            this.#placesIn(file).forEach((place) => files.add(place));
        }
        return files;
    }

    /** The files that refer to one of the targets, directly or through other files, and the targets. */
    withReferring(targets: Iterable<string>, files: readonly string[]): ReadonlySet<string> {
        const referring = new Map<string, string[]>();
        files.forEach((file) =>
            this.#placesIn(file).forEach((place) => getOrMake(referring, place, () => []).push(file)),
        );
        const found = new Set(targets);
        for (const file of found) {
            referring.get(file)?.forEach((each) => found.add(each));
        }
        return found;
    }

    #placesIn(file: string): readonly string[] {
        return getOrMake(this.#places, file, () =>
            placesNamedIn(documentText(this.content, file) ?? "", file, this.domain).filter((place) =>
                this.content.has(place),
            ),
        );
    }
}

/**
 * The files with parts that only certain readers may see, even if no page and no setting names them, and the files that
 * refer to them. A file that may have such parts, but cannot be read, counts too, unless it may be any other text.
 *
 * @param possible all files that may belong to API documents
 */
export function restrictedFiles(
    possible: readonly string[],
    { content, references, isNamed, showsAll }: RestrictedFilesOptions,
): { readonly restricted: ReadonlySet<string>; readonly problems: readonly SiteWarning[] } {
    const documents = possible.filter(isNamed);
    // To follow all references takes long, and few sites need it.
    let reached: ReadonlySet<string> | undefined;
    const isOfDocument = (file: string) => (reached ??= references.filesOf(documents)).has(file);
    const found = possible.flatMap((file) => {
        const text = content.mentions(file, "x-mint") ? documentText(content, file) : "";
        const state = stateOf(text);
        // A text that is too large to see may be one.
        const isDocument = () => isNamed(file) || text === undefined || beginsDocument(text) || isOfDocument(file);
        const isOpen = state === "open" || (state === "unreadable" && !isDocument());
        return isOpen ? [] : [{ file, isReadable: state === "restricted" }];
    });
    const unreadable = new Set(found.filter(({ isReadable }) => !isReadable).map(({ file }) => file));
    const restricted = references.withReferring(
        found.map(({ file }) => file),
        found.length === 0 ? [] : [...references.filesOf([...documents, ...found.map(({ file }) => file)])],
    );
    const problems = [...restricted].flatMap((file) => {
        const warning = restrictionWarning(file, showsAll);
        return unreadable.has(file) ? (showsAll ? [] : [{ ...warning, reason: unreadableDocument }]) : [warning];
    });
    return { restricted, problems };
}

interface RestrictedFilesOptions {
    readonly content: FoundFiles;
    readonly references: DocumentReferences;
    /** Whether a file's name or a setting says that the file is a document. */
    readonly isNamed: (file: string) => boolean;
    /** Whether the export contains the parts, too. */
    readonly showsAll: boolean;
}

function stateOf(text: string | undefined): "open" | "restricted" | "unreadable" {
    let isComplete = text !== undefined;
    const root = text === undefined ? undefined : contentOf(text, () => (isComplete = false));
    if (isNode(root) && hasPrivateNodes(root)) {
        return "restricted";
    }
    const mayRestrict = text === undefined || /x-mint-enum|\bgroups\b|\bgroup["']?\s*:/i.test(text);
    return !isComplete && mayRestrict ? "unreadable" : "open";
}
