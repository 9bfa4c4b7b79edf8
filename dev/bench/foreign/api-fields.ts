import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { type ShownPage } from "./shown-pages.js";

export interface FieldReport {
    /** The number of top-level fields in the bodies of all operations that have a page. */
    readonly fields: number;
    /** Fields that no page of their operation shows, such as `POST /assistant: voice`. */
    readonly missing: readonly string[];
}

type Json = Record<string, unknown>;

/** Looks up the fields of OpenAPI documents on the pages of their operations, independently of the exporter. */
export async function findMissingFields(pages: readonly ShownPage[], sourceDir: string): Promise<FieldReport> {
    const shownOf = new Map<string, Set<string>[]>();
    for (const { operation, fields } of pages) {
        if (operation !== "") {
            shownOf.set(operation, [...(shownOf.get(operation) ?? []), new Set(fields)]);
        }
    }
    let fields = 0;
    const missing: string[] = [];
    for (const document of await documentsIn(sourceDir)) {
        for (const [operation, names] of fieldsOfOperations(document)) {
            const shown = shownOf.get(operation);
            if (shown !== undefined) {
                fields += names.size;
                // Several documents can contain the same operation, which then has a page for each document.
                const [fewest = []] = shown
                    .map((page) => [...names].filter((name) => !page.has(name)))
                    .sort((a, b) => a.length - b.length);
                missing.push(...fewest.map((name) => `${operation}: ${name}`));
            }
        }
    }
    return { fields, missing };
}

async function documentsIn(folder: string): Promise<Json[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const documents: Json[] = [];
    for (const entry of entries) {
        if (entry.isFile() && /\.(?:json|ya?ml)$/i.test(entry.name)) {
            const text = await readFile(join(entry.parentPath, entry.name), "utf8");
            if (/^\s*"?openapi"?\s*:\s*["']?3/m.test(text.slice(0, 100_000))) {
                const document = parseDocument(text);
                if (document !== undefined) {
                    documents.push(document);
                }
            }
        }
    }
    return documents;
}

function parseDocument(text: string): Json | undefined {
    try {
        return objectOf(text.trimStart().startsWith("{") ? JSON.parse(text) : parse(text, { logLevel: "silent" }));
    } catch {
        return undefined;
    }
}

function* fieldsOfOperations(document: Json): Generator<[string, Set<string>]> {
    const resolve = (value: unknown): Json => {
        let found = objectOf(value);
        for (let steps = 0; typeof found?.["$ref"] === "string" && steps < 20; steps += 1) {
            found = objectOf(targetOf(document, found["$ref"]));
        }
        return found ?? {};
    };
    for (const [path, item] of Object.entries(objectOf(document["paths"]) ?? {})) {
        for (const [method, operation] of Object.entries(resolve(item))) {
            if (/^(?:get|put|post|delete|options|head|patch|trace)$/.test(method)) {
                const { requestBody, responses } = resolve(operation);
                const names = new Set<string>();
                for (const body of [requestBody, ...Object.values(objectOf(responses) ?? {})]) {
                    for (const media of Object.values(objectOf(resolve(body)["content"]) ?? {})) {
                        addFields(resolve(media)["schema"], resolve, names);
                    }
                }
                yield [`${method.toUpperCase()} ${path}`, names];
            }
        }
    }
}

/** Adds the fields of a schema, of its parts and variants, and of the items of a list. */
function addFields(
    value: unknown,
    resolve: (value: unknown) => Json,
    names: Set<string>,
    seen = new Set<Json>(),
): void {
    const schema = resolve(value);
    if (value === undefined || seen.has(schema)) {
        return;
    }
    seen.add(schema);
    Object.keys(objectOf(schema["properties"]) ?? {}).forEach((name) => names.add(name));
    const parts = ["allOf", "oneOf", "anyOf"].flatMap((key) =>
        Array.isArray(schema[key]) ? (schema[key] as unknown[]) : [],
    );
    [...parts, schema["items"]].forEach((part) => addFields(part, resolve, names, seen));
}

function targetOf(document: Json, reference: string): unknown {
    if (!reference.startsWith("#/")) {
        return undefined;
    }
    const steps = reference.slice(2).split("/");
    return steps.reduce<unknown>(
        (found, step) => objectOf(found)?.[decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")],
        document,
    );
}

function objectOf(value: unknown): Json | undefined {
    return typeof value === "object" && value !== null ? (value as Json) : undefined;
}
