import { getOrMake } from "../../text/get-or-make.js";
import { jsonOf } from "../../text/json-text.js";
import { asRecord, isRecord } from "../../text/json-values.js";
import { type Json, nameOfPointerPart, pointerPart, targetOf } from "../../api/documents/references.js";
import { childrenOf, mergedSchema } from "../../api/parts/merged-schema.js";
import { type AsyncChannel } from "../../api/asyncapi/async-document.js";
import { type ApiOperation } from "../../api/openapi/api-document.js";
import { type PageSubject } from "../../api/page-subject.js";

/** The maximum length of an excerpt; programs cannot read more in one step. */
const maxLength = 200_000;

/**
 * The part of a document that describes a page's subject, as JSON; undefined if the JSON is too long.
 * @param forPrograms writes the Markdown of a description for programs
 */
export function documentExcerpt(subject: PageSubject, forPrograms: (markdown: string) => string): string | undefined {
    const { root } = subject.document;
    const own =
        subject.kind === "operation" ? operationIn(subject) : subject.kind === "channel" ? channelIn(subject) : {};
    const seeds = subject.kind === "model" ? [`#/components/schemas/${pointerPart(subject.title)}`] : [];
    const components = componentsOf(root, own, seeds);
    if (components === undefined) {
        return undefined;
    }
    const { openapi, asyncapi } = root;
    const used = Object.keys(components).length === 0 ? undefined : components;
    const excerpt = { openapi, asyncapi, info: infoOf(root), ...own, components: used };
    // YAML would be a little shorter, but takes a hundred times as long to write.
    const text = jsonOf(excerpt, 2);
    if (text.length > maxLength) {
        return undefined;
    }
    return `${mayLinkOrHide.test(text) ? jsonOf(withDescriptions(excerpt, forPrograms), 2) : text}\n`;
}

/** Values, whose fields have any names. */
const values = new Set(["example", "examples", "default", "enum", "const"]);
const mayLinkOrHide = /\]\(|\]:|<[a-z!]/i;

/** @param isNames whether the value's keys are names that the document chose, such as those of properties */
function withDescriptions(value: unknown, forPrograms: (markdown: string) => string, isNames = false): unknown {
    if (Array.isArray(value)) {
        return value.map((item) => withDescriptions(item, forPrograms));
    }
    if (!isRecord(value)) {
        return value;
    }
    return Object.fromEntries(
        Object.entries(value).map(([key, item]) => {
            if (!isNames && values.has(key)) {
                return [key, item];
            }
            const isText = key === "description" && typeof item === "string";
            const isProperties = !isNames && key === "properties";
            return [key, isText ? forPrograms(item) : withDescriptions(item, forPrograms, isProperties)];
        }),
    );
}

function infoOf(root: Json): Json {
    const { title, version } = asRecord(root["info"]);
    return { title, version };
}

/** The path with only this operation. */
function operationIn({ document, isWebhook, path, method, node, pathItem }: ApiOperation): Json {
    const { servers, security } = document.root;
    const { summary, description, parameters, servers: ofPath } = pathItem;
    const place = { summary, description, parameters, servers: ofPath, [method]: node };
    return { servers, security, [isWebhook ? "webhooks" : "paths"]: { [path]: place } };
}

/** The channel, and its operations, which version 3 of AsyncAPI lists separately from channels. */
function channelIn({ document, name, node }: AsyncChannel): Json {
    const { servers, operations } = document.root;
    const pointer = `#/channels/${pointerPart(name)}`;
    const own = Object.entries(asRecord(operations)).filter(
        ([, operation]) => asRecord(asRecord(operation)["channel"])["$ref"] === pointer,
    );
    return {
        servers,
        channels: { [name]: node },
        ...(own.length > 0 && { operations: Object.fromEntries(own) }),
    };
}

/**
 * The components to which a part refers, directly or through other components, the models that extend these, and the
 * part's security schemes; undefined if the components are too long. In a large document, most operations refer to most
 * components.
 */
function componentsOf(root: Json, part: Json, seeds: readonly string[]): Json | undefined {
    // The objects have no prototype: otherwise a document's names, used as keys, could change the prototype of all
    // objects.
    const components = new Map<string, Map<string, unknown>>();
    const waiting: Iterable<string>[] = [pointersIn(part)];
    let length = 0;
    const add = (pointer: string) => {
        const [, kind = "", name = ""] = /^#\/components\/([^/]+)\/([^/]+)/.exec(pointer) ?? [];
        const key = nameOfPointerPart(name);
        const isKnown = kind === "" || components.get(kind)?.has(key) === true;
        const own = `#/components/${kind}/${name}`;
        const target = isKnown ? undefined : targetOf(root, own);
        if (target !== undefined) {
            getOrMake(components, kind, () => new Map<string, unknown>()).set(key, target);
            const contents = contentsOf(root, own, target);
            waiting.push(contents.pointers);
            length += contents.length;
        }
    };
    seeds.forEach(add);
    schemesIn(part).forEach((name) => add(`#/components/securitySchemes/${pointerPart(name)}`));
    for (let pointers = waiting.pop(); pointers !== undefined; pointers = waiting.pop()) {
        for (const pointer of pointers) {
            add(pointer);
        }
        if (length > maxLength) {
            return undefined;
        }
    }
    return Object.fromEntries([...components].map(([kind, ofKind]) => [kind, Object.fromEntries(ofKind)]));
}

interface Contents {
    readonly pointers: readonly string[];
    /** The length of the component's JSON on one line. */
    readonly length: number;
}

/** Caches the result by component, because the pages of a document share components. */
const knownContents = new WeakMap<object, Contents>();

function contentsOf(root: Json, pointer: string, component: unknown): Contents {
    return typeof component === "object" && component !== null
        ? getOrMake(knownContents, component, () => {
              const children = childrenOf({ root }, mergedSchema({ root }, { $ref: pointer }));
              return {
                  pointers: [...new Set(pointersIn([component, ...children]))],
                  length: jsonOf(component).length,
              };
          })
        : { pointers: [], length: 0 };
}

/** All references in a value, including references that only name a variant (`mapping`). */
function* pointersIn(value: unknown): Generator<string> {
    if (Array.isArray(value)) {
        for (const item of value) {
            yield* pointersIn(item);
        }
    } else if (isRecord(value)) {
        for (const [key, item] of Object.entries(value)) {
            if (typeof item === "string" && (key === "$ref" || item.startsWith("#/components/"))) {
                yield item;
            } else {
                yield* pointersIn(item);
            }
        }
    }
}

function schemesIn(part: Json): string[] {
    const operations = [part["paths"], part["webhooks"]].flatMap((paths) =>
        Object.values(asRecord(paths)).flatMap((place) => Object.values(asRecord(place)).filter(isRecord)),
    );
    return [part, ...operations].flatMap(({ security }) =>
        Array.isArray(security) ? security.flatMap((entry) => Object.keys(asRecord(entry))) : [],
    );
}
