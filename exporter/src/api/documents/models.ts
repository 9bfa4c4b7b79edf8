import { type DocumentSubject, type ParsedDocument } from "./parse-document.js";
import { modelsOf } from "./references.js";
import { type Wanted, withSource } from "./site-documents.js";

/** A model of a document: one of its `components.schemas`. */
export interface ApiModel extends DocumentSubject {
    readonly kind: "model";
    readonly document: ParsedDocument;
    /** Whether only certain readers may see the model. If so, its fields have been removed from the document. */
    readonly isPrivate: boolean;
}

/** `OrderItem`, optionally after the document: `openapi.json OrderItem`. */
export function modelNamed(wanted: string): Wanted<ParsedDocument, ApiModel> {
    const { source, name } = withSource(wanted);
    return { source, look: (document) => modelIn(document, name) };
}

export function modelIn(document: ParsedDocument, name: string): ApiModel | undefined {
    const { file, privateModels, root } = document;
    const isPrivate = privateModels.has(name);
    return isPrivate || Object.hasOwn(modelsOf(root), name)
        ? { kind: "model", document, file, title: name, isPrivate, digest: `${document.digest}\0${name}` }
        : undefined;
}
