import { type Limits } from "../../access/limits.js";
import { asRecord, isRecord, listOf, textOf } from "../../text/json-values.js";
import { groupsOf } from "./limited-parts.js";
import { routeBelow } from "./made-pages.js";
import { operationsOf } from "./operations-of-path.js";
import { type DescribedPart, type ParsedDocument } from "./parse-document.js";
import { type Json, resolveReference } from "./references.js";

/** An OpenAPI 3.0 or 3.1 document of the site. */
export interface ApiDocument extends ParsedDocument {
    readonly file: string;
    readonly operations: readonly ApiOperation[];
    readonly problems: readonly string[];
}

/** A model of a document: one of its `components.schemas`. */
export interface ApiModel extends DescribedPart {
    readonly kind: "model";
    readonly document: ApiDocument;
    /** Meant for certain readers only: its fields are not in the document any more. */
    readonly isLimited: boolean;
}

export interface ApiOperation extends DescribedPart {
    readonly kind: "operation";
    readonly document: ApiDocument;
    readonly method: string;
    readonly path: string;
    readonly isWebhook: boolean;
    readonly description: string | undefined;
    readonly tag: string;
    readonly isDeprecated: boolean;
    /** The readers that the operation is for, if the document says so. */
    readonly groups: Limits["groups"];
    /** What Mintlify's extension `x-mint` says of the operation's page. */
    readonly page: OperationPage;
    /** Marked to be left out of generated pages. */
    readonly isHidden: boolean;
    readonly node: Json;
    /** Parameters and servers that stand on the path. */
    readonly pathItem: Json;
}

/** Wishes for the page that is made of an operation. */
export interface OperationPage {
    /** As the front matter of a page. */
    readonly metadata: Json;
    /** MDX that stands before what is made of the operation. */
    readonly content: string;
    /** The page's route, in place of one that is made of tag and title. */
    readonly route: string | undefined;
}

/** The operations of a document; undefined where it is none of OpenAPI. */
export function readApiDocument(file: string, parsed: ParsedDocument): ApiDocument | undefined {
    const { root, digest } = parsed;
    if (!isRecord(root["paths"]) && !isRecord(root["webhooks"])) {
        return undefined;
    }
    const problems: string[] = [];
    if (typeof root["openapi"] !== "string" || !root["openapi"].startsWith("3.")) {
        problems.push("only OpenAPI 3.0 and 3.1 are supported; parts of this document may be missing");
    }
    const operations: ApiOperation[] = [];
    const document: ApiDocument = { ...parsed, file, operations, problems };
    for (const [key, isWebhook] of [
        ["paths", false],
        ["webhooks", true],
    ] as const) {
        for (const [path, given] of Object.entries(asRecord(root[key]))) {
            const pathItem = resolveReference(document, given) ?? {};
            for (const [method, node] of operationsOf(pathItem)) {
                operations.push(operationOf(document, { method, path, isWebhook, node, pathItem, digest }));
            }
        }
    }
    return document;
}

function operationOf(
    document: ApiDocument,
    found: Pick<ApiOperation, "method" | "path" | "isWebhook" | "node" | "pathItem" | "digest">,
): ApiOperation {
    const { node, pathItem, method, path, digest } = found;
    const extension = asRecord(node["x-mint"]);
    const metadata = asRecord(extension["metadata"]);
    const [tag] = listOf(node["tags"]);
    const title = textOf(metadata["title"]) ?? textOf(node["summary"]) ?? textOf(node["operationId"]);
    return {
        ...found,
        kind: "operation",
        document,
        file: document.file,
        title: title ?? `${method.toUpperCase()} ${path}`,
        description: textOf(node["description"]),
        page: {
            metadata,
            content: textOf(extension["content"]) ?? "",
            route: routeOfAddress(textOf(extension["href"])),
        },
        tag: typeof tag === "string" ? tag : "",
        isDeprecated: node["deprecated"] === true,
        groups: groupsOf(node) ?? groupsOf(pathItem),
        isHidden: node["x-hidden"] === true || node["x-excluded"] === true,
        digest: `${digest}\0${method}\0${path}`,
    };
}

/** The route of an address within the site; undefined for any other text. It becomes a file's name. */
function routeOfAddress(address: string | undefined): string | undefined {
    const route = address?.replace(/^\/+|\/+$/g, "");
    return route !== undefined && route.length <= maxRouteLength && pageRoute.test(route) ? route : undefined;
}

const maxRouteLength = 500;
const pageRoute = /^(?!static-export\/)[\p{L}\p{N}][\p{L}\p{N}._~-]*(?:\/[\p{L}\p{N}][\p{L}\p{N}._~-]*){0,20}$/u;

/** The address of an operation's page: below the folder, by its tag and its name. */
export function routeOfOperation({ title, method, path, tag }: ApiOperation, folder: string): string {
    return routeBelow(folder, tag, title) ?? routeBelow(folder, tag, `${method} ${path}`) ?? folder;
}
