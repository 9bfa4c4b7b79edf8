import { posix } from "node:path";
import { type WarningKind } from "../warnings.js";
import {
    parseApiDocument,
    routeOfOperation,
    type ApiDocument,
    type ApiModel,
    type ApiOperation,
} from "./api-document.js";
import { isRecord } from "./config-file.js";
import { type FoundFiles } from "./found-files.js";
import { type ApiPages } from "./navigation-from-config.js";

const defaultFolder = "api-reference";

const limitedDocument =
    "x-mint.groups and x-mint-enum keep nobody out: an export knows no users, and everyone who reaches the site reads the whole document";

/** How many files are read in search of documents that no setting names. */
const mostCandidates = 200;

/** Finds operations in the site's OpenAPI documents and makes pages for those that the navigation asks for. */
export class SiteApi implements ApiPages {
    /** Operations without a file of their own, by their routes. */
    readonly generated = new Map<string, ApiOperation>();
    readonly problems: { kind: WarningKind; file: string; reason: string }[] = [];
    readonly #content: FoundFiles;
    readonly #files: ReadonlySet<string>;
    readonly #pages: ReadonlyMap<string, string>;
    readonly #defaultSources: readonly string[];
    readonly #documents = new Map<string, ApiDocument | undefined>();
    #others: readonly string[] | undefined;
    readonly #byEndpoint = new Map<ApiDocument, Map<string, ApiOperation>>();

    constructor(
        content: FoundFiles,
        files: ReadonlySet<string>,
        pages: ReadonlyMap<string, string>,
        defaultSources: readonly string[],
    ) {
        this.#content = content;
        this.#files = files;
        this.#pages = pages;
        this.#defaultSources = defaultSources;
    }

    operation(endpoint: string, sources: readonly string[], folder: string | undefined): string | undefined {
        const operation = this.find(endpoint, sources);
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
    find(endpoint: string, sources: readonly string[] = this.#defaultSources, page = ""): ApiOperation | undefined {
        const [, source, method, path] = /^(?:(\S+)\s+)?([a-z]+)\s+(\S+)$/i.exec(endpoint.trim()) ?? [];
        if (method === undefined || path === undefined) {
            return undefined;
        }
        const fallback = sources.length === 0 ? this.#defaultSources : sources;
        const key = keyOf(method, path);
        if (source !== undefined) {
            return this.#findIn([source.startsWith(".") ? posix.join(posix.dirname(page), source) : source], key);
        }
        return this.#findIn(fallback, key) ?? this.#findIn(this.#otherDocuments(), key);
    }

    /** `OrderItem`, or with the document before it: `openapi.json OrderItem`. */
    findModel(wanted: string, page: string): ApiModel | undefined {
        const [, source, name = ""] = /^(?:(\S+)\s+)?(\S+)$/.exec(wanted.trim()) ?? [];
        const named = source?.startsWith(".") === true ? posix.join(posix.dirname(page), source) : source;
        const findIn = (sources: readonly string[]) => {
            for (const document of sources.map((each) => this.#document(each))) {
                const components = document?.root["components"];
                const schemas = isRecord(components) ? components["schemas"] : undefined;
                if (document !== undefined && isRecord(schemas) && Object.hasOwn(schemas, name)) {
                    return { document, name, digest: `${document.digest}\0${name}` };
                }
            }
            return undefined;
        };
        return named === undefined ? (findIn(this.#defaultSources) ?? findIn(this.#otherDocuments())) : findIn([named]);
    }

    #findIn(sources: readonly string[], key: string): ApiOperation | undefined {
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
            .slice(0, mostCandidates)
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
        // A setting may name the file with a slash in front, and a search for documents finds it without one.
        const named = posix.normalize(source.replace(/^\/+/, ""));
        if (this.#documents.has(named)) {
            return this.#documents.get(named);
        }
        const document = this.#read(source, named);
        this.#documents.set(named, document);
        return document;
    }

    #read(source: string, named: string): ApiDocument | undefined {
        const report = (file: string, reason: string): undefined => {
            this.problems.push({ kind: "openapi", file, reason });
        };
        if (/^https?:/i.test(source)) {
            return report("docs.json", `the OpenAPI document ${source} is not fetched: put a copy into the site`);
        }
        const endings = ["", ".json", ".yaml", ".yml"];
        const file =
            endings.map((ending) => named + ending).find((candidate) => this.#files.has(candidate)) ??
            [...this.#files].find((candidate) =>
                endings.some((ending) => posix.basename(candidate) === named + ending),
            );
        if (file === undefined) {
            return report("docs.json", `the site has no OpenAPI document ${source}`);
        }
        const document = parseApiDocument(file, this.#content.readText(file));
        if (document === undefined) {
            return report(file, "this is no OpenAPI document in JSON or YAML");
        }
        for (const reason of document.problems) {
            report(file, reason);
        }
        if (document.isLimited) {
            this.problems.push({ kind: "access", file, reason: limitedDocument });
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

/** What a group of operations is called: as the document's list of tags says, or as the tag itself. */
function labelOfTag({ document, tag }: ApiOperation): string {
    const tags = Array.isArray(document.root["tags"]) ? (document.root["tags"] as unknown[]) : [];
    const found = tags.filter(isRecord).find(({ name }) => name === tag && tag !== "");
    const label = [found?.["x-group"], found?.["x-displayName"], tag].find((each) => typeof each === "string" && each);
    return typeof label === "string" ? label : "API Reference";
}

function keyOf(method: string, path: string): string {
    return `${method.toLowerCase()} ${path.replace(/\/+$/, "") || "/"}`;
}
