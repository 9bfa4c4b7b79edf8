import { trimTrailing } from "@pulumi-static-export/contract";
import { belowBasePath, encodePath, type SiteAddress } from "../../read/files/routes.js";
import { type ApiDisplay } from "../../read/settings/site-settings.js";
import { jsonOf, plainText } from "../../text/json-text.js";
import { asRecord, isRecord, listOf } from "../../text/json-values.js";
import { exampleOf, inventedTexts, type SampleOptions, Sampler, schemaOfMedia } from "../parts/sample.js";
import { entriesOf, type HasRoot, type Json, partsOf, resolveReference } from "../documents/references.js";
import { type ApiContext } from "../parts/api-context.js";
import { type ApiOperation } from "./api-document.js";
import { isSentByBrowsers } from "./browser-headers.js";
import { sentCredentials } from "./credentials.js";
import { serversOf } from "./operation-parts.js";
import { allParameters, schemaOfParameter } from "./parameters.js";
import {
    type ApiRequest,
    type FilledField,
    formBody,
    type Header,
    isForm,
    isJson,
    isXml,
    type RequestBody,
    type RequestField,
    requestOf,
    serialise,
    shownValue,
} from "./request.js";
import { mergedSchema } from "../parts/merged-schema.js";
import { xmlOf } from "./xml-text.js";

const fileName = "file";

/** The request that an operation's example code sends. */
export function exampleRequest(
    operation: ApiOperation,
    display: ApiDisplay,
    { warn, site }: Partial<Pick<ApiContext, "warn" | "site">> = {},
): ApiRequest {
    const { document, path } = operation;
    const options: SampleOptions = { ...display, without: "readOnly", ...(warn && { warn }) };
    const credentials = sentCredentials(operation).map((field) => ({ field, value: placeholderOf(field) }));
    const parameters = allParameters(operation).flatMap((parameter) => filledField(document, parameter, options));
    const base = baseUrlOf(operation, site);
    const isAbsolute = /^[a-z][a-z\d+.-]*:/i.test(base);
    const isOnSite = serversOf(operation).length > 0 && site !== undefined && site.domain !== "localhost";
    const url = isAbsolute ? base : `https://${isOnSite ? site.domain : unknownHost}${base}`;
    const to = { method: methodOf(operation), url, path };
    return requestOf(to, [...credentials, ...parameters], bodyOf(operation, options));
}

function placeholderOf({ in: place, prefix }: RequestField): string {
    const ofHeader = prefix === undefined ? "<api-key>" : prefix === "Basic " ? "<credentials>" : "<token>";
    return place === "header" ? ofHeader : "API_KEY";
}

/** Methods of HTTP are case-sensitive; in a document, the keys of usual methods are in lower case. */
function methodOf({ method }: ApiOperation): string {
    return method === method.toLowerCase() ? method.toUpperCase() : method;
}

/** The placeholder for the host of an API whose document names none. */
const unknownHost = "API_HOST";

/**
 * The address of the first server, with its variables' default values. A relative address is relative to the document,
 * so that it is a path on the site. Empty for the root of the site's host, and without a server.
 */
export function baseUrlOf(
    operation: ApiOperation,
    { basePath }: Pick<SiteAddress, "basePath"> = { basePath: "" },
): string {
    const [server] = serversOf(operation);
    const variables = asRecord(server?.["variables"]);
    const url = typeof server?.["url"] === "string" ? server["url"] : "";
    const withValues = url.replace(/\{([^{}]+)\}/g, (_, name: string) => {
        const { default: value, enum: values } = asRecord(variables[name]);
        return plainText(value ?? listOf(values)[0] ?? name);
    });
    const filled = trimTrailing(withValues, "/");
    if (/^[a-z][a-z\d+.-]*:/i.test(filled)) {
        return filled;
    }
    if (filled.startsWith("//")) {
        return `https:${filled}`;
    }
    return filled === "" ? "" : pathFrom(operation.document.file, filled, basePath);
}

/** An address relative to a document of the site, as a path on the site's host. */
function pathFrom(file: string, address: string, basePath: string): string {
    const found = URL.parse(address, `https://site/${encodePath(belowBasePath(basePath, file))}`);
    return trimTrailing(found?.pathname ?? address, "/");
}

/** A parameter with the value that an example sends: a needed parameter, or one for which the document has a value. */
function filledField(document: HasRoot, parameter: Json, options: SampleOptions): FilledField[] {
    const field = fieldOf(document, parameter);
    const given = field && givenValue(document, parameter);
    if (field === undefined || ((given === undefined || options.isShort === true) && field.required !== true)) {
        return [];
    }
    const { schema } = mergedSchema(document, schemaOfParameter(parameter));
    const value = given ?? new Sampler(document, options).sample(schema) ?? null;
    const isOpen = inventedTexts.has(value) || value === null || (isRecord(value) && Object.keys(value).length === 0);
    return [{ field, value: isOpen ? field.name.replace(/\W+/g, "_").toUpperCase() : value }];
}

/** The fields of the request form for the operation's parameters. */
export function parameterFields(operation: ApiOperation): RequestField[] {
    const { document } = operation;
    return allParameters(operation).flatMap((parameter) => {
        const field = fieldOf(document, parameter);
        if (field === undefined || !isSentByBrowsers(field)) {
            return [];
        }
        const { schema } = mergedSchema(document, schemaOfParameter(parameter));
        const values = schema["type"] === "boolean" ? [true, false] : listOf(schema["enum"]);
        const options = values.filter((each) => each !== null).map(plainText);
        return [{ ...withValue(field, givenValue(document, parameter)), ...(options.length > 0 && { options }) }];
    });
}

/** These headers of a document are described elsewhere, and have no effect as parameters. */
const isIgnored = /^(?:accept|content-type|authorization)$/i;

function fieldOf(document: HasRoot, parameter: Json): RequestField | undefined {
    const { name, in: place, required } = parameter;
    if (typeof name !== "string" || typeof place !== "string" || (place === "header" && isIgnored.test(name))) {
        return undefined;
    }
    const [type] = Object.keys(asRecord(parameter["content"]));
    return {
        ...styleOf(parameter),
        name,
        in: place,
        ...((required === true || place === "path") && { required: true }),
        ...(type !== undefined && { type }),
        ...kindOf(document, schemaOfParameter(parameter)),
    };
}

function styleOf({ style, explode, allowReserved }: Json): Partial<RequestField> {
    return {
        ...(typeof style === "string" && { style }),
        ...(typeof explode === "boolean" && { explode }),
        ...(allowReserved === true && { allowReserved }),
    };
}

function kindOf(document: HasRoot, given: unknown): Pick<RequestField, "kind"> {
    const { schema } = mergedSchema(document, given);
    const types = [schema["type"]].flat();
    const isObject = types.includes("object") || isRecord(schema["properties"]);
    return types.includes("array") ? { kind: "list" } : isObject ? { kind: "object" } : {};
}

function withValue(field: RequestField, value: unknown): RequestField {
    return value === undefined || value === null ? field : { ...field, value: shownValue(value) };
}

/** The value that a document has for a parameter: an example or a default. */
function givenValue(document: HasRoot, parameter: Json): unknown {
    const [media = parameter] = Object.values(asRecord(parameter["content"]));
    const { schema, ...examples } = asRecord(media);
    const own = mergedSchema(document, schema ?? parameter["schema"]).schema;
    const known = [exampleOf(document, examples, {}), own["example"], listOf(own["examples"])[0]];
    return [...known, own["x-default"], own["default"]].find((value) => value !== undefined && value !== null);
}

/** The first type of a request's body. */
function mediaOf({ document, node }: ApiOperation): readonly [type: string, media: Json] | undefined {
    const content = asRecord(resolveReference(document, node["requestBody"])?.["content"]);
    const [found] = Object.entries(content);
    return found && [found[0], asRecord(found[1])];
}

function bodyOf(operation: ApiOperation, options: SampleOptions): RequestBody | undefined {
    const [type, media] = mediaOf(operation) ?? [];
    return type === undefined || media === undefined
        ? undefined
        : bodyWith(operation.document, type, media, exampleOf(operation.document, media, options));
}

/** The body that sends a value. */
function bodyWith(document: HasRoot, given: string, media: Json, value: unknown): RequestBody | undefined {
    const type = given.includes("*") ? (typeof value === "string" ? "text/plain" : "application/json") : given;
    if (isForm(type) && isRecord(value)) {
        const fields = formFields(document, media, value).map((field) => {
            const own = value[field.name];
            return { field, value: field.file === undefined || own === undefined ? own : fileName };
        });
        return formBody(type, fields);
    }
    const isText = isJson(type) || /xml|text|json/i.test(type);
    if (!isText && (typeof value !== "string" || isFile(document, media["schema"]))) {
        return { type, file: fileName };
    }
    if (value === undefined) {
        return undefined;
    }
    return { type, text: textOfBody(document, type, media, value) };
}

/** Whether a request's body contains a value completely: a body with a file contains only the file's name. */
export function isBodyWith(
    body: RequestBody | undefined,
    document: HasRoot,
    type: string,
    media: unknown,
    value: unknown,
): boolean {
    const own = bodyWith(document, type, asRecord(media), value);
    const hasFiles = isForm(type) && formFields(document, asRecord(media), asRecord(value)).some(({ file }) => file);
    return !hasFiles && own?.file === undefined && jsonOf(own) === jsonOf(body);
}

/** A value as the text of a body. A document may contain an example of JSON or XML as text. */
export function textOfBody(document: HasRoot, type: string, media: unknown, value: unknown): string {
    if (isXml(type) && typeof value === "object" && value !== null) {
        return xmlOf(document, schemaOfMedia(media), value);
    }
    if (/jsonl|ndjson|json-seq/i.test(type) && Array.isArray(value)) {
        return value.map((item) => `${jsonOf(item)}\n`).join("");
    }
    const isText = typeof value === "string" && (!isJson(type) || /^\s*[[{]/.test(value));
    return isText ? value : jsonOf(value, 2);
}

/** The fields of the request form for the parts of a form, so that readers can choose files; empty for other bodies. */
export function partFields(operation: ApiOperation): RequestField[] {
    const [type = "", media = {}] = mediaOf(operation) ?? [];
    return isForm(type) ? formFields(operation.document, media) : [];
}

/** @param value the value of a body, which may contain fields that are not in the schema */
function formFields(document: HasRoot, media: Json, value: Json = {}): RequestField[] {
    const schemas = partsOf(document, media["schema"]);
    const required = new Set(schemas.flatMap((part) => listOf(part["required"])));
    const example = asRecord(exampleOf(document, { ...media, schema: undefined }, {}) ?? schemas[0]?.["example"]);
    const properties = Object.assign(
        {},
        value,
        example,
        ...schemas.map((part) => asRecord(part["properties"])),
    ) as Json;
    return Object.entries(properties).map(([name, given]) => {
        const property = given === (example[name] ?? value[name]) ? {} : (resolveReference(document, given) ?? {});
        const { contentType, headers, ...encoding } = asRecord(asRecord(media["encoding"])[name]);
        const hasFiles = isFile(document, property["items"] ?? property);
        const { kind } = kindOf(document, property);
        // By default, a part with an object is JSON.
        const ownType = typeof contentType === "string" ? (contentType.split(",", 1)[0] as string).trimEnd() : "";
        const isObject = kind === "object" && encoding["style"] === undefined;
        const type = ownType !== "" && !ownType.includes("*") ? ownType : isObject ? "application/json" : undefined;
        const ofPart = headersOf(document, headers);
        const field: RequestField = {
            ...styleOf(encoding),
            name,
            in: "body",
            ...(required.has(name) && { required: true }),
            ...(kind && { kind }),
            ...(type !== undefined && { type }),
            ...(ofPart.length > 0 && { headers: ofPart }),
            ...(hasFiles && { file: kind === "list" ? "several" : "one" }),
        };
        return hasFiles ? field : withValue(field, example[name] ?? property["example"] ?? property["default"]);
    });
}

/** The headers of a form's part that are needed, or for which the document has a value. */
function headersOf(document: HasRoot, headers: unknown): Header[] {
    const all = entriesOf(document, headers).map(([name, header]) => ({ ...header, name, in: "header" }));
    return all
        .flatMap((header) => filledField(document, header, {}))
        .map(({ field, value }) => [field.name, serialise(field, value)]);
}

/** Whether values of a schema are bytes. */
function isFile(document: HasRoot, given: unknown): boolean {
    const { format, contentMediaType, contentEncoding } = resolveReference(document, given) ?? {};
    const isBinary = typeof contentMediaType === "string" && !/text|json|xml/i.test(contentMediaType);
    return contentEncoding === undefined && (format === "binary" || isBinary);
}
