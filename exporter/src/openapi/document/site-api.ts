import { posix } from "node:path";
import { type SiteWarning } from "../../problems/warnings.js";
import { type FoundFiles } from "../../files/found-files.js";
import { type ApiPages } from "../../navigation/api-pages.js";
import { isRecord, listOf } from "../../text/json-values.js";
import {
    type ApiDocument,
    type ApiModel,
    type ApiOperation,
    parseApiDocument,
    routeOfOperation,
} from "./api-document.js";
import { DocumentProblems } from "./document-problems.js";

const defaultFolder = "api-reference";

const shownDocument =
    "x-mint.groups and x-mint-enum have no effect: an exported site has no login, and everyone who reaches the site reads the whole document";

const cutDocument =
    "parts of this document are for certain readers (x-mint.groups, x-mint-enum): pages show them to nobody, and the document itself is not published";

/** How many files are read in search of documents that no setting names. */
const maxCandidates = 200;

export interface SiteApiOptions {
    readonly content: FoundFiles;
    /** All files that may be documents. */
    readonly files: ReadonlySet<string>;
    /** Files of pages by route. */
    readonly pages: ReadonlyMap<string, string>;
    /** The documents that the settings name. */
    readonly sources: readonly string[];
    /** Whether pages show what is for certain readers. */
    readonly showsAll: boolean;
}

/** Finds operations in the site's OpenAPI documents and makes pages for those that the navigation asks for. */
export class SiteApi implements ApiPages {
    /** Operations without a file of their own, by their routes. */
    readonly generated = new Map<string, ApiOperation>();
    /** Files of documents that are not published, because parts of them are for certain readers. */
    readonly unpublished = new Set<string>();
    readonly #problems = new DocumentProblems();
    readonly #content: FoundFiles;
    readonly #files: ReadonlySet<string>;
    readonly #pages: ReadonlyMap<string, string>;
    readonly #showsAll: boolean;
    /** The documents that the settings name, as they name them, by their names without a slash in front. */
    readonly #ofSettings = new Map<string, string>();
    readonly #documents = new Map<string, ApiDocument | undefined>();
    #others: readonly string[] | undefined;
    readonly #byEndpoint = new Map<ApiDocument, Map<string, ApiOperation>>();

    constructor({ content, files, pages, sources, showsAll }: SiteApiOptions) {
        this.#content = content;
        this.#files = files;
        this.#pages = pages;
        this.#showsAll = showsAll;
        this.nameDocuments(sources);
    }

    /** Call it once, when all pages have been read. */
    problems(): SiteWarning[] {
        return this.#problems.all(() => this.#ofSettings.size > 0 || this.#otherDocuments().length > 0);
    }

    nameDocuments(sources: readonly string[]): void {
        sources.forEach((source) => this.#ofSettings.set(nameOf(source), source));
    }

    operation(
        endpoint: string,
        sources: readonly string[],
        folder: string | undefined,
        notFound: () => SiteWarning,
    ): string | undefined {
        const operation = this.find(endpoint, sources, "", notFound);
        return operation === undefined ? undefined : this.#routeOf(operation, folder ?? defaultFolder);
    }

    all(sources: readonly string[], folder: string | undefined): { title: string; routes: string[] }[] {
        const groups = new Map<string, string[]>();
        for (const source of sources) {
            for (const operation of this.#document(source)?.operations ?? []) {
                if (!operation.isHidden) {
                    const title = labelOfTag(operation);
                    const routes = groups.get(title) ?? [];
                    routes.push(this.#routeOf(operation, folder ?? defaultFolder));
                    groups.set(title, routes);
                }
            }
        }
        return [...groups].map(([title, routes]) => ({ title, routes }));
    }

    /** `POST /pets`, or with the document before it: `openapi.json POST /pets`, `../openapi.json POST /pets`. */
    find(
        endpoint: string,
        sources: readonly string[],
        page: string,
        notFound: () => SiteWarning,
    ): ApiOperation | undefined {
        const [, source, method, path] = /^(?:(\S+)\s+)?([a-z]+)\s+(\S+)$/i.exec(endpoint.trim()) ?? [];
        if (method === undefined || path === undefined) {
            this.#problems.add(notFound());
            return undefined;
        }
        const key = keyOf(method, path);
        const named = sourceFrom(page, source);
        const given = named === undefined ? sources : [named];
        const found =
            this.#findIn(given.length === 0 ? this.#ofSettings.values() : given, key) ??
            (named === undefined ? this.#findIn(this.#otherDocuments(), key) : undefined);
        if (found === undefined) {
            this.#problems.addNotFound(notFound(), named && nameOf(named));
        }
        return found;
    }

    /** `OrderItem`, or with the document before it: `openapi.json OrderItem`. */
    findModel(wanted: string, page: string, notFound: () => SiteWarning): ApiModel | undefined {
        const [, source, name = ""] = /^(?:(\S+)\s+)?(\S+)$/.exec(wanted.trim()) ?? [];
        const named = sourceFrom(page, source);
        const findIn = (sources: readonly string[]) => {
            for (const document of sources.map((each) => this.#document(each))) {
                const components = document?.root["components"];
                const schemas = isRecord(components) ? components["schemas"] : undefined;
                const isLimited = document?.limitedModels.has(name) === true;
                if (document !== undefined && (isLimited || (isRecord(schemas) && Object.hasOwn(schemas, name)))) {
                    return { document, name, isLimited, digest: `${document.digest}\0${name}` };
                }
            }
            return undefined;
        };
        const found =
            named === undefined
                ? (findIn([...this.#ofSettings.values()]) ?? findIn(this.#otherDocuments()))
                : findIn([named]);
        if (found === undefined) {
            this.#problems.addNotFound(notFound(), named && nameOf(named));
        }
        return found;
    }

    #findIn(sources: Iterable<string>, key: string): ApiOperation | undefined {
        for (const source of sources) {
            const document = this.#document(source);
            const found = document && this.#endpoints(document).get(key);
            if (found !== undefined) {
                return found;
            }
        }
        return undefined;
    }

    #endpoints(document: ApiDocument): Map<string, ApiOperation> {
        let endpoints = this.#byEndpoint.get(document);
        if (endpoints === undefined) {
            endpoints = new Map();
            for (const operation of document.operations) {
                const { method, path, isWebhook } = operation;
                endpoints.set(keyOf(isWebhook ? "webhook" : method, path), operation);
            }
            this.#byEndpoint.set(document, endpoints);
        }
        return endpoints;
    }

    /** Platforms look for an operation in all documents of a repository, whatever their names. */
    #otherDocuments(): readonly string[] {
        this.#others ??= [...this.#files]
            .filter((file) => /\.(?:json|ya?ml)$/i.test(file))
            .slice(0, maxCandidates)
            .filter((file) => this.#looksLikeDocument(file));
        return this.#others;
    }

    #looksLikeDocument(file: string): boolean {
        try {
            return /^[\s{]*["']?openapi["']?\s*:/m.test(this.#content.readText(file));
        } catch {
            return false;
        }
    }

    #document(source: string): ApiDocument | undefined {
        const named = nameOf(source);
        if (this.#documents.has(named)) {
            return this.#documents.get(named);
        }
        const document = this.#read(source, named);
        this.#documents.set(named, document);
        return document;
    }

    #read(source: string, named: string): ApiDocument | undefined {
        const missing = (file: string, reason: string, isPlaced = this.#ofSettings.has(named)): undefined => {
            this.#problems.addMissing(named, { kind: "openapi", file, line: undefined, reason }, isPlaced);
        };
        if (/^https?:/i.test(source)) {
            return missing("docs.json", `the OpenAPI document ${source} is not fetched: put a copy into the site`);
        }
        const endings = ["", ".json", ".yaml", ".yml"];
        const file =
            endings.map((ending) => named + ending).find((candidate) => this.#files.has(candidate)) ??
            [...this.#files].find((candidate) =>
                endings.some((ending) => posix.basename(candidate) === named + ending),
            );
        if (file === undefined) {
            return missing("docs.json", `the site has no OpenAPI document ${source}`);
        }
        const document = parseApiDocument(file, this.#content.readText(file), this.#showsAll);
        if (document === undefined) {
            return missing(file, "this is no OpenAPI document in JSON or YAML", true);
        }
        for (const reason of document.problems) {
            this.#problems.add({ kind: "openapi", file, line: undefined, reason });
        }
        if (document.isLimited) {
            const reason = this.#showsAll ? shownDocument : cutDocument;
            this.#problems.add({ kind: "access", file, line: undefined, reason });
            if (!this.#showsAll) {
                this.unpublished.add(file);
            }
        }
        return document;
    }

    #routeOf(operation: ApiOperation, folder: string): string {
        const wanted = operation.page.route;
        if (wanted !== undefined && this.#pages.has(wanted)) {
            return wanted; // The page that a file describes.
        }
        const base = wanted ?? routeOfOperation(operation, folder);
        for (let count = 1; ; count += 1) {
            const route = count === 1 ? base : `${base}-${count}`;
            const known = this.generated.get(route);
            if (known === operation) {
                return route;
            }
            if (known === undefined && !this.#pages.has(route)) {
                this.generated.set(route, operation);
                return route;
            }
        }
    }
}

/** A setting may name the file with a slash in front, and a search for documents finds it without one. */
function nameOf(source: string): string {
    return posix.normalize(source.replace(/^\/+/, ""));
}

/** The document that a page names, from its own folder or from the site's. */
function sourceFrom(page: string, source: string | undefined): string | undefined {
    return source?.startsWith(".") === true ? posix.join(posix.dirname(page), source) : source;
}

/** The name of a group of operations: from the document's list of tags, otherwise the tag itself. */
function labelOfTag({ document, tag }: ApiOperation): string {
    const tags = listOf(document.root["tags"]);
    const found = tags.filter(isRecord).find(({ name }) => name === tag && tag !== "");
    const label = [found?.["x-group"], found?.["x-displayName"], tag].find((each) => typeof each === "string" && each);
    return typeof label === "string" ? label : "API Reference";
}

function keyOf(method: string, path: string): string {
    return `${method.toLowerCase()} ${path.replace(/\/+$/, "") || "/"}`;
}
