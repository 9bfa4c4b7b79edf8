import { type ApiDisplay } from "../../read/settings/site-settings.js";
import { jsonOf } from "../../text/json-text.js";
import { asRecord, isRecord, listOf } from "../../text/json-values.js";
import { exampleOf, type SampleOptions, Sampler } from "../parts/sample.js";
import { type HasRoot, type Json, resolveReference } from "../documents/references.js";
import { type ApiOperation } from "./api-document.js";
import { sentCredentials } from "./credentials.js";
import { serversOf } from "./operation-parts.js";
import { allParameters, schemaOfParameter } from "./parameters.js";
import { isJson, partTexts, plainText, type RequestField, serialise, shownValue } from "./parameter-styles.js";
import { xmlOf } from "./xml-text.js";

/** A part of a `multipart` body: a text, or the file of this name. */
export type RequestPart = Readonly<Record<"name", string> & Partial<Record<"text" | "file" | "type", string>>>;

/** The body of a request, as text, as a file, or as the parts of a form. */
export interface RequestBody {
    readonly type: string;
    readonly text?: string;
    readonly file?: string;
    readonly parts?: readonly RequestPart[];
}

/** The request of an operation, which all examples print and which the form sends, in the style of an HTTP archive. */
export interface ApiRequest {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [name: string, value: string])[];
    readonly body: RequestBody | undefined;
}

export const fileName = "file";

/** The request that an operation's example code sends. */
export function requestOf(
    operation: ApiOperation,
    display: ApiDisplay,
    warn: (reason: string) => void = () => undefined,
): ApiRequest {
    const options = { ...display, without: "readOnly", warn } as const;
    const query: string[] = [];
    const headers: [string, string][] = [];
    const cookies: string[] = [];
    let { path } = operation;
    for (const { name, in: place, prefix } of sentCredentials(operation)) {
        const placeholder = prefix === undefined ? "<api-key>" : prefix === "Basic " ? "<credentials>" : "<token>";
        if (place === "query") {
            query.push(serialise({ name, in: place }, "API_KEY"));
        } else if (place === "cookie") {
            cookies.push(`${name}=API_KEY`);
        } else {
            headers.push([name, (prefix ?? "") + placeholder]);
        }
    }
    for (const { field, value } of valuesOf(operation, options)) {
        const text = serialise(field, value);
        if (field.in === "path") {
            path = path.replaceAll(`{${field.name}}`, () => text);
        } else if (text !== "" && field.in === "header") {
            headers.push([field.name, text]);
        } else if (text !== "") {
            (field.in === "cookie" ? cookies : query).push(text);
        }
    }
    const body = bodyOf(operation, options);
    return {
        method: methodOf(operation),
        url: baseUrlOf(operation) + path + query.map((pair, at) => (at === 0 ? "?" : "&") + pair).join(""),
        headers: [
            ...headers,
            ...(cookies.length === 0 ? [] : [["Cookie", cookies.join("; ")] as const]),
            ...(body === undefined || body.parts !== undefined ? [] : [["Content-Type", body.type] as const]),
        ],
        body,
    };
}

/** Methods of HTTP are case-sensitive; in a document, the keys of usual methods are in lower case. */
export function methodOf({ method }: ApiOperation): string {
    return method === method.toLowerCase() ? method.toUpperCase() : method;
}

/** The first server, with its variables' default values. */
export function baseUrlOf(operation: ApiOperation): string {
    const [server] = serversOf(operation);
    const variables = asRecord(server?.["variables"]);
    const url = typeof server?.["url"] === "string" ? server["url"] : "";
    const filled = url
        .replace(/\{([^{}]+)\}/g, (_, name: string) => {
            const { default: value, enum: values } = asRecord(variables[name]);
            return plainText(value ?? listOf(values)[0] ?? name);
        })
        .replace(/\/+$/, "");
    if (/^[a-z][a-z\d+.-]*:/i.test(filled)) {
        return filled;
    }
    return filled.startsWith("//")
        ? `https:${filled}`
        : `https://api.example.com${filled.replace(/^\.?\/*(?=.)/, "/")}`;
}

/** The values of the parameters that an example sends: needed ones, and others for which the document has a value. */
function valuesOf(operation: ApiOperation, options: SampleOptions): { field: RequestField; value: unknown }[] {
    return allParameters(operation).flatMap((parameter) => {
        const { document } = operation;
        const field = fieldOf(document, parameter);
        const given = field && givenValue(document, parameter);
        if (field === undefined || ((given === undefined || options.isShort === true) && field.required !== true)) {
            return [];
        }
        const value = given ?? new Sampler(document, options).sample(schemaOfParameter(parameter), []);
        const isOpen = value === "<string>" || value === null || (isRecord(value) && Object.keys(value).length === 0);
        const name = field.name.replace(/\W+/g, "_").toUpperCase();
        return [{ field, value: isOpen ? name : value }];
    });
}

/** The fields of the request form for the operation's parameters. */
export function parameterFields(operation: ApiOperation): RequestField[] {
    const { document } = operation;
    return allParameters(operation).flatMap((parameter) => {
        const field = fieldOf(document, parameter);
        // Browsers do not let a page set cookies or headers such as `host` on a request.
        if (field === undefined || field.in === "cookie" || (field.in === "header" && isForbidden.test(field.name))) {
            return [];
        }
        const value = givenValue(document, parameter);
        const schema = resolveReference(document, schemaOfParameter(parameter)) ?? {};
        const values = schema["type"] === "boolean" ? [true, false] : listOf(schema["enum"]);
        const options = values.filter((each) => each !== null).map(plainText);
        return [
            {
                ...field,
                ...(value !== undefined && { value: shownValue(value) }),
                ...(options.length > 0 && { options }),
            },
        ];
    });
}

const isForbidden = /^(?:cookie|host|origin|referer|content-length)$/i;

/** These headers of a document are described elsewhere, and have no effect as parameters. */
const isIgnored = /^(?:accept|content-type|authorization)$/i;

function fieldOf(document: HasRoot, parameter: Json): RequestField | undefined {
    const { name, in: place, required, style, explode, allowReserved } = parameter;
    if (typeof name !== "string" || typeof place !== "string" || (place === "header" && isIgnored.test(name))) {
        return undefined;
    }
    const [type] = Object.keys(asRecord(parameter["content"]));
    const kind = kindOf(document, schemaOfParameter(parameter));
    return {
        name,
        in: place,
        ...((required === true || place === "path") && { required: true }),
        ...(typeof style === "string" && { style }),
        ...(typeof explode === "boolean" && { explode }),
        ...(allowReserved === true && { allowReserved }),
        ...(type !== undefined && { type }),
        ...(kind && { kind }),
    };
}

function kindOf(document: HasRoot, given: unknown): "list" | "object" | undefined {
    const schema = resolveReference(document, given) ?? {};
    const types = [schema["type"]].flat();
    const isObject = types.includes("object") || isRecord(schema["properties"]);
    return types.includes("array") ? "list" : isObject ? "object" : undefined;
}

/** The value that a document has for a parameter: an example or a default. */
function givenValue(document: HasRoot, parameter: Json): unknown {
    const [media = parameter] = Object.values(asRecord(parameter["content"]));
    const { schema, ...examples } = asRecord(media);
    const own = resolveReference(document, schema ?? parameter["schema"]) ?? {};
    const known = [exampleOf(document, examples, {}), own["example"], listOf(own["examples"])[0]];
    return [...known, own["x-default"], own["default"]].find((value) => value !== undefined && value !== null);
}

/** The first type of a request's body. */
export function mediaOf({ document, node }: ApiOperation): readonly [type: string, media: Json] | undefined {
    const content = asRecord(resolveReference(document, node["requestBody"])?.["content"]);
    const [found] = Object.entries(content);
    return found && [found[0], asRecord(found[1])];
}

function bodyOf(operation: ApiOperation, options: SampleOptions): RequestBody | undefined {
    const [given, media] = mediaOf(operation) ?? [];
    if (given === undefined || media === undefined) {
        return undefined;
    }
    const { document } = operation;
    const value = exampleOf(document, media, options);
    const type = given.includes("*") ? (typeof value === "string" ? "text/plain" : "application/json") : given;
    if (isForm(type) && isRecord(value)) {
        const fields = formFields(document, media).map((field) => [field, value[field.name]] as const);
        return isMultipart(type)
            ? { type, parts: fields.flatMap(partsOf) }
            : { type, text: fields.flatMap(([field, each]) => textOfField(field, each)).join("&") };
    }
    if (
        !isJson(type) &&
        !/xml|text|json/i.test(type) &&
        (isFile(document, media["schema"]) || typeof value !== "string")
    ) {
        return { type, file: fileName };
    }
    if (value === undefined) {
        return undefined;
    }
    if (/[/+]xml\b/i.test(type) && isRecord(value)) {
        return { type, text: xmlOf(document, media["schema"], value) };
    }
    return { type, text: textOfBody(type, value) };
}

/** A document may contain a JSON example as text. */
function textOfBody(type: string, value: unknown): string {
    const isLines = /jsonl|ndjson|json-seq/i.test(type) && Array.isArray(value);
    if (isLines) {
        return value.map((item) => `${jsonOf(item)}\n`).join("");
    }
    const isText = typeof value === "string" && (!isJson(type) || /^\s*[[{]/.test(value));
    return isText ? value : jsonOf(value, 2);
}

/** Whether a body of this type is a form, whose fields are sent separately. */
export function isForm(type: string): boolean {
    return isMultipart(type) || /^application\/x-www-form-urlencoded\b/i.test(type);
}

function isMultipart(type: string): boolean {
    return /^multipart\//i.test(type);
}

/** A field for each part of a form, so that readers can choose files. */
export function formFields(document: HasRoot, media: Json): RequestField[] {
    const schema = resolveReference(document, media["schema"]) ?? {};
    const parts = [schema, ...listOf(schema["allOf"]).map((part) => resolveReference(document, part) ?? {})];
    const required = new Set(parts.flatMap((part) => listOf(part["required"])));
    const example = asRecord(exampleOf(document, { ...media, schema: undefined }, {}) ?? schema["example"]);
    const properties = Object.assign({}, example, ...parts.map((part) => asRecord(part["properties"]))) as Json;
    return Object.entries(properties).map(([name, given]) => {
        const property = given === example[name] ? {} : (resolveReference(document, given) ?? {});
        const { contentType, ...style } = asRecord(asRecord(media["encoding"])[name]);
        const hasFiles = isFile(document, property["items"] ?? property);
        const kind = kindOf(document, property);
        // By default, a part with an object is JSON.
        const [partType] = typeof contentType === "string" ? contentType.split(/\s*,/) : [];
        const isObject = kind === "object" && style["style"] === undefined;
        const value = example[name] ?? property["example"] ?? property["default"];
        return {
            ...(style as Partial<RequestField>),
            name,
            in: "body",
            ...(required.has(name) && { required: true }),
            ...(kind && { kind }),
            ...(partType?.includes("*") === false ? { type: partType } : isObject && { type: "application/json" }),
            ...(hasFiles && { file: kind === "list" ? ("several" as const) : ("one" as const) }),
            ...(value !== undefined && value !== null && !hasFiles && { value: shownValue(value) }),
        };
    });
}

function textOfField(field: RequestField, value: unknown): string[] {
    const text = value === undefined ? "" : serialise(field, field.file === undefined ? value : fileName);
    return text === "" ? [] : [text];
}

function partsOf([{ name, file, type }, value]: readonly [RequestField, unknown]): RequestPart[] {
    if (value === undefined || file !== undefined) {
        return value === undefined ? [] : [{ name, file: fileName, ...(type !== undefined && { type }) }];
    }
    return partTexts(value, type).map((text) => ({ name, text, ...(type !== undefined && { type }) }));
}

/** Whether values of a schema are bytes. */
function isFile(document: HasRoot, given: unknown): boolean {
    const { format, contentMediaType, contentEncoding } = resolveReference(document, given) ?? {};
    const isBinary = typeof contentMediaType === "string" && !/text|json|xml/i.test(contentMediaType);
    return contentEncoding === undefined && (format === "binary" || isBinary);
}
