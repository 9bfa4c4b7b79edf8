import { trimSlashes } from "@pulumi-static-export/contract";
import { channelNamed } from "../api/asyncapi/async-document.js";
import { modelNamed } from "../api/documents/models.js";
import { DocumentReferences, restrictedFiles } from "../api/documents/restricted-files.js";
import { operationNamed } from "../api/openapi/api-document.js";
import { SiteError } from "../problems/site-error.js";
import { type SiteWarning } from "../problems/warning-log.js";
import { type FoundFiles } from "../read/files/found-files.js";
import { homeRoute } from "../read/files/routes.js";
import { problemOfGroups } from "../read/readers/readers.js";
import { type SitePlace } from "./base-path.js";
import { withoutPrefix } from "./links/link-resolver.js";
import { type PageReaders, type PrivatePages } from "./page-readers.js";
import { type SitePage } from "./site-page.js";
import { type WholeSite } from "./whole-site.js";

/** The pages that an export contains, and their readers. */
export interface ExportedPages {
    readonly has: (route: string) => boolean;
    /** Whether the export contains all pages of the site. */
    readonly areAll: boolean;
    /** The pages that the export omits because nobody may read them. */
    readonly forNobody: ReadonlySet<string>;
    /** The readers of private pages. */
    readonly readersOf: ReadonlyMap<string, readonly string[]>;
}

/** @throws SiteError for a path without a page, and for a group whose name a server could not distinguish */
export function exportedPages(
    pages: ReadonlyMap<string, SitePage>,
    pageReaders: ReadonlyMap<string, PageReaders>,
    { privatePages, paths }: { readonly privatePages: PrivatePages; readonly paths: readonly string[] | undefined },
    place: SitePlace,
): ExportedPages {
    const forNobody = new Set<string>();
    const readersOf = new Map<string, readonly string[]>();
    for (const [route, { readers, line }] of privatePages === "publish" ? [] : pageReaders) {
        if (privatePages === "leave-out" || readers === "nobody") {
            forNobody.add(route);
            continue;
        }
        const problem = problemOfGroups(readers);
        if (problem !== undefined) {
            throw new SiteError(pages.get(route)?.file ?? route, line, problem);
        }
        readersOf.set(route, readers);
    }
    const chosen = choosePaths(pages, forNobody, paths, place);
    return {
        has: (route) => chosen?.has(route) !== false && !forNobody.has(route),
        areAll: chosen === undefined && forNobody.size === 0,
        forNobody,
        readersOf,
    };
}

function choosePaths(
    pages: ReadonlyMap<string, SitePage>,
    forNobody: ReadonlySet<string>,
    paths: readonly string[] | undefined,
    place: SitePlace,
): ReadonlySet<string> | undefined {
    if (paths === undefined) {
        return undefined;
    }
    if (paths.length === 0) {
        throw new SiteError("paths", undefined, "an empty list asks for no page: leave the list out");
    }
    return new Set(
        paths.map((path) => {
            const route = [path, ...withoutPrefix(path, place)]
                .map((each) => trimSlashes(each.normalize("NFC")).replace(/\.(?:html|mdx?)$/i, "") || homeRoute)
                .find((each) => pages.has(each));
            if (route === undefined || forNobody.has(route)) {
                const reason =
                    route === undefined
                        ? "but the site has no page at this address. A path is a page's address, such as guides/start"
                        : "which is left out because it is for certain readers. Use --access to export it for " +
                          "them, or --publish-groups to export it for everybody";
                throw new SiteError(path, undefined, `the export was asked for this page, ${reason}`);
            }
            return route;
        }),
    );
}

/**
 * Files that reveal private content: documents of private pages, which contain the operations regardless of the
 * navigation, documents with parts that only certain readers may see, and settings files, which name all pages.
 */
export function unpublishedFiles(
    whole: WholeSite,
    content: FoundFiles,
    { domain, showsAll }: { readonly domain: string; readonly showsAll: boolean },
): { readonly unpublished: ReadonlySet<string>; readonly problems: readonly SiteWarning[] } {
    const { config, pageReaders, subjects } = whole;
    const references = new DocumentReferences(content, domain);
    const { restricted, problems } = restrictedFiles(subjects.possibleDocuments, {
        ...{ content, references, showsAll },
        isNamed: subjects.isNamedDocument,
    });
    if (showsAll) {
        return { unpublished: new Set(), problems };
    }
    const documents = [...subjects.privateDocuments, ...restricted, ...documentsOfPrivatePages(whole)];
    const includedFiles = [...config.sources.keys()].filter((file) => file !== config.file);
    const ofSettings = pageReaders.size === 0 ? [] : includedFiles;
    return { unpublished: new Set([...references.filesOf(documents), ...ofSettings]), problems };
}

function documentsOfPrivatePages({ isPublicDocument, pageReaders, pages, subjects: { api } }: WholeSite): string[] {
    const ofPages = [...pageReaders.keys()].flatMap((route) => pages.get(route) ?? []);
    const files = [
        ...ofPages.map(({ subject }) => subject?.file),
        ...ofPages.flatMap((page) => documentsNamedBy(page).map((source) => api.fileOf(source, page.file))),
        ...[...isPublicDocument].map(([source, isPublic]) => (isPublic ? undefined : api.fileOf(source))),
    ];
    return files.filter((file) => file !== undefined);
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
