import { getOrMake } from "../../text/get-or-make.js";
import { type SiteWarning } from "../../problems/warnings.js";
import { asRecord, recordsOf } from "../../text/json-values.js";
import {
    type ApiDocument,
    type ApiModel,
    type ApiOperation,
    readApiDocument,
    routeOfOperation,
} from "./api-document.js";
import { groupRoutes, type MadeGroup, type MadePages } from "./made-pages.js";
import { SiteDocuments, type SiteDocumentsOptions, withSource } from "./site-documents.js";

/** Finds operations in the site's OpenAPI documents and makes pages for those that the navigation asks for. */
export class SiteApi {
    readonly documents: SiteDocuments<ApiDocument>;
    readonly #byEndpoint = new Map<ApiDocument, Map<string, ApiOperation>>();

    constructor(
        private readonly made: Pick<MadePages<ApiOperation>, "routeOf" | "isFile">,
        options: SiteDocumentsOptions,
    ) {
        this.documents = new SiteDocuments({ name: "OpenAPI", read: readApiDocument }, options);
    }

    /** The page of one operation, such as `POST /pets`; undefined when no document has it, which gives the warning. */
    operation(
        endpoint: string,
        sources: readonly string[],
        folder: string,
        notFound: () => SiteWarning,
    ): string | undefined {
        const operation = this.find(endpoint, sources, "", notFound);
        return operation === undefined ? undefined : this.#routeOf(operation, folder);
    }

    /** Pages of everything in the documents, in groups by their tags. */
    all(sources: readonly string[], folder: string): MadeGroup[] {
        const operations = sources.flatMap((source) => this.documents.document(source)?.operations ?? []);
        const shown = operations.filter(({ isHidden }) => !isHidden);
        return groupRoutes(shown.map((operation) => [labelOfTag(operation), this.#routeOf(operation, folder)]));
    }

    /** `POST /pets`, or with the document before it: `openapi.json POST /pets`, `../openapi.json POST /pets`. */
    find(
        endpoint: string,
        around: readonly string[],
        page: string,
        notFound: () => SiteWarning,
    ): ApiOperation | undefined {
        const [, source, method, path] = /^(?:(\S+)\s+)?([a-z]+)\s+(\S+)$/i.exec(endpoint.trim()) ?? [];
        if (method === undefined || path === undefined) {
            this.documents.addProblem(notFound());
            return undefined;
        }
        const key = keyOf(method, path);
        return this.documents.find(
            (document) => this.#endpoints(document).get(key),
            { page, source, around },
            notFound,
        );
    }

    /** `OrderItem`, or with the document before it: `openapi.json OrderItem`. */
    findModel(wanted: string, page: string, notFound: () => SiteWarning): ApiModel | undefined {
        const { source, name } = withSource(wanted);
        const look = (document: ApiDocument): ApiModel | undefined => {
            const { file } = document;
            const schemas = asRecord(asRecord(document.root["components"])["schemas"]);
            const isLimited = document.limitedModels.has(name);
            return isLimited || Object.hasOwn(schemas, name)
                ? { kind: "model", document, file, title: name, isLimited, digest: `${document.digest}\0${name}` }
                : undefined;
        };
        return this.documents.find(look, { page, source, around: [] }, notFound);
    }

    #endpoints(document: ApiDocument): Map<string, ApiOperation> {
        return getOrMake(this.#byEndpoint, document, () => {
            const entries = document.operations.map((operation) => {
                const { method, path, isWebhook } = operation;
                return [keyOf(isWebhook ? "webhook" : method, path), operation] as const;
            });
            return new Map(entries);
        });
    }

    #routeOf(operation: ApiOperation, folder: string): string {
        const wanted = operation.page.route;
        return wanted !== undefined && this.made.isFile(wanted)
            ? wanted // The page that a file describes.
            : this.made.routeOf(operation, wanted ?? routeOfOperation(operation, folder));
    }
}

/** The name of a group of operations: from the document's list of tags, otherwise the tag itself. */
function labelOfTag({ document, tag }: ApiOperation): string {
    const found = recordsOf(document.root["tags"]).find(({ name }) => name === tag && tag !== "");
    const label = [found?.["x-group"], found?.["x-displayName"], tag].find((each) => typeof each === "string" && each);
    return typeof label === "string" ? label : "API Reference";
}

function keyOf(method: string, path: string): string {
    return `${method.toLowerCase()} ${path.replace(/\/+$/, "") || "/"}`;
}
