import { createHash } from "node:crypto";
import { hasPrivateNodes, withoutPrivateNodes } from "./private-nodes.js";
import { type DocumentFault } from "./document-content.js";
import { readDocumentFiles } from "./read-document-files.js";
import { type HasRoot } from "./references.js";

/** A document of an API. References are resolved on demand, because they may be circular. */
export interface ParsedDocument extends HasRoot {
    readonly file: string;
    /** A digest of the content of the document's files. */
    readonly digest: string;
    /** Whether only certain readers may see parts of the document. */
    readonly isPrivate: boolean;
    /** Models that pages must not show because only certain readers may see them. */
    readonly privateModels: ReadonlySet<string>;
}

/** A part of a document that can be the subject of a page. */
export interface DocumentSubject {
    /** The document's file, for messages. */
    readonly file: string;
    readonly title: string;
    /** A digest that changes whenever the content of the page may change. */
    readonly digest: string;
}

/** An operation or a channel gets a page if the navigation lists it. */
export interface ListedSubject extends DocumentSubject {
    readonly description: string | undefined;
    /** Empty for none. */
    readonly tag: string;
    /** The title of the subject's group in the navigation, if the subject is in a group. */
    readonly group: string | undefined;
    /** Possible names for the page's route, which is built from the first name with letters. */
    readonly names: readonly string[];
    /** The page's route, if the document sets it. */
    readonly route: string | undefined;
    /** Whether the subject is skipped when the navigation lists everything in the document. */
    readonly isHidden: boolean;
}

/**
 * Reads the object in a JSON or YAML file; undefined for any other file.
 * @param readText undefined if the site has no such file
 * @param isWhole includes the parts that only certain readers may see
 * @param report called with mistakes in the text of the files
 */
export function parseDocument(
    file: string,
    readText: (file: string) => string | undefined,
    isWhole: boolean,
    report: (fault: DocumentFault) => void = () => undefined,
): ParsedDocument | undefined {
    const read = readDocumentFiles(file, readText, isWhole, report);
    if (read === undefined) {
        return undefined;
    }
    const { root, texts } = read;
    const text = [...texts.values()].join("\0");
    const isPrivate = text.includes("x-mint") && hasPrivateNodes(root);
    const cut = isPrivate && !isWhole ? withoutPrivateNodes(root) : { root, models: new Set<string>() };
    const digest = createHash("sha256")
        .update(text + (cut.root === root ? "" : "\0"))
        .digest("base64url");
    return { file, root: cut.root, digest, isPrivate, privateModels: cut.models };
}
