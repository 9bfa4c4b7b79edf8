import { channelNamed } from "../api/asyncapi/async-document.js";
import { filesOfDocument } from "../api/documents/document-files.js";
import { modelNamed, operationNamed } from "../api/openapi/api-document.js";
import { type FoundFiles } from "../read/files/found-files.js";
import { type SitePage } from "./site-page.js";
import { type WholeSite } from "./whole-site.js";

/**
 * Files that reveal private content: documents of private pages, which contain the operations regardless of the
 * navigation, and settings files, which name all pages.
 */
export function revealingFiles(
    { config, fileOfDocument, isPublicDocument, pageReaders, pages, privateDocuments }: WholeSite,
    content: FoundFiles,
    domain: string,
): Set<string> {
    const documents = new Set(privateDocuments);
    const add = (file: string | undefined) => void (file !== undefined && documents.add(file));
    for (const page of [...pageReaders.keys()].flatMap((route) => pages.get(route) ?? [])) {
        add(page.subject?.file);
        documentsNamedBy(page).forEach((source) => add(fileOfDocument(source, page.file)));
    }
    for (const [source, isPublic] of isPublicDocument) {
        add(isPublic ? undefined : fileOfDocument(source));
    }
    const ofDocuments = [...documents].flatMap((file) => [...filesOfDocument(file, domain, content)]);
    const includedFiles = [...config.sources.keys()].filter((file) => file !== config.file);
    return new Set([...ofDocuments, ...(pageReaders.size === 0 ? [] : includedFiles)]);
}

/**
 * Returns documents even if their operation, model or channel was not found, perhaps because the document is
 * unreadable.
 */
function documentsNamedBy({ meta: { openapi, openapiSchema, asyncapi } }: SitePage): string[] {
    const wanted = [
        openapi && operationNamed(openapi),
        openapiSchema && modelNamed(openapiSchema),
        asyncapi && channelNamed(asyncapi),
    ];
    return wanted.flatMap((each) => (each ? (each.source ?? []) : []));
}
