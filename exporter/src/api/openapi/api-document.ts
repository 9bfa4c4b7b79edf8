import { trimSlashes, trimTrailing } from "@pulumi-static-export/contract";
import { upgradeFromTwoToThree } from "@scalar/openapi-upgrader/2.0-to-3.0";
import { type ReadersSettings } from "../../read/readers/readers-settings.js";
import { jsonOf } from "../../text/json-text.js";
import { asRecord, isRecord, listOf, recordsOf, textOf } from "../../text/json-values.js";
import { groupsOf } from "../documents/private-nodes.js";
import { operationsOf, entriesOf, type Json, unknownMethodsOf } from "../documents/references.js";
import { type ListedSubject, type ParsedDocument } from "../documents/parse-document.js";
import { type ReadDocument, type Wanted } from "../documents/site-documents.js";

/** An OpenAPI document of the site; Swagger 2.0 is converted to OpenAPI 3.0. */
export interface ApiDocument extends ReadDocument<ApiOperation> {
    readonly byEndpoint: ReadonlyMap<string, ApiOperation>;
}

export interface ApiOperation extends ListedSubject {
    readonly kind: "operation";
    readonly document: ApiDocument;
    readonly method: string;
    readonly path: string;
    readonly isWebhook: boolean;
    readonly isDeprecated: boolean;
    /** The operation's readers, if the document restricts them. */
    readonly groups: ReadersSettings["groups"];
    /** The page settings in Mintlify's extension `x-mint`. */
    readonly page: OperationPage;
    readonly node: Json;
    /** Parameters and servers of the path. */
    readonly pathItem: Json;
}

/** Settings for the page of an operation. */
interface OperationPage {
    /** The same fields as in front matter. */
    readonly metadata: Json;
    /** MDX above the generated operation. */
    readonly content: string;
}

/** The operations of a document; undefined for a document that is not OpenAPI. */
export function readApiDocument(parsed: ParsedDocument): ApiDocument | undefined {
    const root = inThree(withVersion(parsed.root));
    if (!isRecord(root["paths"]) && !isRecord(root["webhooks"])) {
        return undefined;
    }
    const isKnown = textOf(root["openapi"])?.startsWith("3.") === true;
    const problems: string[] = isKnown
        ? []
        : ["only OpenAPI 3 and Swagger 2.0 are supported, so parts of this document may be missing"];
    const subjects: ApiOperation[] = [];
    const byEndpoint = new Map<string, ApiOperation>();
    const document: ApiDocument = { ...parsed, root, subjects, byEndpoint, problems };
    for (const [key, isWebhook] of [
        ["paths", false],
        ["webhooks", true],
    ] as const) {
        for (const [path, pathItem] of entriesOf(document, root[key])) {
            for (const key of unknownMethodsOf(pathItem)) {
                problems.push(`${key} of ${path} is left out: methods have the names get, post, … in lower case`);
            }
            for (const [method, node] of operationsOf(pathItem)) {
                const operation = operationOf(document, { method, path, isWebhook, node, pathItem });
                const href = asRecord(node["x-mint"])["href"];
                if (href !== undefined && operation.route === undefined) {
                    problems.push(`x-mint.href of ${method.toUpperCase()} ${path} ${noAddress}`);
                }
                subjects.push(operation);
                byEndpoint.set(keyOf(isWebhook ? "webhook" : method, path), operation);
            }
        }
    }
    return document;
}

/** In YAML, a version without quotes is a number: `swagger: 2.0`. */
function withVersion(root: Json): Json {
    const { openapi, swagger } = root;
    return {
        ...root,
        ...(typeof openapi === "number" && { openapi: openapi.toFixed(1) }),
        ...(typeof swagger === "number" && { swagger: swagger.toFixed(1) }),
    };
}

/** Converts Swagger 2.0; a document that cannot be converted stays as it is. */
function inThree(root: Json): Json {
    try {
        return root["swagger"] === undefined ? root : asRecord(upgradeFromTwoToThree(structuredClone(root)));
    } catch {
        return root;
    }
}

/** `POST /pets`, optionally after the document: `openapi.json POST /pets`, `../openapi.json POST /pets`. */
export function operationNamed(wanted: string): Wanted<ApiDocument, ApiOperation> {
    const [, source, method = "", path = ""] = /^(?:(\S+)\s+)?([a-z]+)\s+(\S+)$/i.exec(wanted.trim()) ?? [];
    return { source, look: ({ byEndpoint }) => byEndpoint.get(keyOf(method, path)) };
}

function keyOf(method: string, path: string): string {
    return `${method.toLowerCase()} ${trimTrailing(path, "/") || "/"}`;
}

function operationOf(
    document: ApiDocument,
    found: Pick<ApiOperation, "method" | "path" | "isWebhook" | "node" | "pathItem">,
): ApiOperation {
    const { node, pathItem, method, path } = found;
    const extension = asRecord(node["x-mint"]);
    // Front matter has no big integers.
    const metadata = asRecord(JSON.parse(jsonOf(extension["metadata"] ?? {})));
    const [first] = listOf(node["tags"]);
    const tag = typeof first === "string" ? first : "";
    const name = textOf(metadata["title"]) ?? textOf(node["summary"]) ?? textOf(node["operationId"]);
    const title = name ?? `${method.toUpperCase()} ${path}`;
    return {
        ...found,
        kind: "operation",
        document,
        file: document.file,
        title,
        names: [title, `${method} ${path}`],
        description: textOf(node["description"]),
        page: { metadata, content: textOf(extension["content"]) ?? "" },
        route: routeOfAddress(textOf(extension["href"])),
        tag,
        group: labelOfTag(document, tag),
        isDeprecated: node["deprecated"] === true,
        groups: groupsOf(node) ?? groupsOf(pathItem),
        isHidden: node["x-hidden"] === true || node["x-excluded"] === true,
        digest: `${document.digest}\0${method}\0${path}`,
    };
}

/** The name of a group of operations: the tag's display name in the document, or else the tag itself. */
function labelOfTag({ root }: ApiDocument, tag: string): string {
    const found = recordsOf(root["tags"]).find(({ name }) => name === tag && tag !== "");
    const label = [found?.["x-group"], found?.["x-displayName"], found?.["summary"], tag].find(
        (each) => typeof each === "string" && each,
    );
    return typeof label === "string" ? label : "API Reference";
}

/** The route for an address within the site; undefined for any other text. The route becomes a file name. */
function routeOfAddress(address: string | undefined): string | undefined {
    const route = address === undefined ? undefined : trimSlashes(address);
    return route !== undefined && route.length <= maxRouteLength && pageRoute.test(route) ? route : undefined;
}

const noAddress = "has no effect: it must be the address of a page within the site, such as /api/pets";

const maxRouteLength = 500;
const pageRoute = /^(?!static-export\/)[\p{L}\p{N}][\p{L}\p{N}._~-]*(?:\/[\p{L}\p{N}][\p{L}\p{N}._~-]*){0,20}$/u;
