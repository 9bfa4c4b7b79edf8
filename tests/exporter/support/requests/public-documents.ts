import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

type Json = Readonly<Record<string, unknown>>;

const require = createRequire(import.meta.url);
const oasExamples = dirname(require.resolve("@readme/oas-examples/package.json"));
const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

interface PublicDocument {
    /** The documents that the table counts together. */
    readonly group: string;
    readonly name: string;
    readonly file: string;
}

export const galaxy: PublicDocument = {
    group: "galaxy",
    name: "galaxy",
    file: join(dirname(require.resolve("@scalar/galaxy")), "latest.json"),
};

/** The examples of OpenAPI documents that two publishers of API pages test with. */
export const publicDocuments: readonly PublicDocument[] = [
    ...["2.0", "3.0", "3.1"].flatMap((group) =>
        readdirSync(join(oasExamples, group, "json"))
            .filter((name) => name.endsWith(".json"))
            .map((name) => ({ group, name: `${group}/${name}`, file: join(oasExamples, group, "json", name) })),
    ),
    galaxy,
];

/** What has to be on the page of an operation. */
export interface ExpectedOperation {
    readonly name: string;
    readonly path: string;
    readonly parameters: readonly string[];
    /** The top-level fields of the request's body. */
    readonly fields: readonly string[];
    readonly responses: readonly string[];
    /** The name of each key, and the type of each other way to authenticate. */
    readonly credentials: readonly string[];
}

export const kindsOfTexts = ["parameters", "fields", "responses", "credentials"] as const;

/** Reads the operations of a document independently of the exporter's code. */
export function expectedOperations(document: Json): ExpectedOperation[] {
    return Object.entries(objectOf(document["paths"])).flatMap(([path, item]) => {
        const shared = listOf(objectOf(item)["parameters"]);
        return methods
            .filter((method) => isObject(objectOf(item)[method]))
            .map((method) => {
                const operation = resolve(document, objectOf(item)[method]);
                const own = listOf(operation["parameters"]);
                const parameters = [...shared, ...own].map((parameter) => resolve(document, parameter));
                const contents = Object.values(objectOf(resolve(document, operation["requestBody"])["content"]));
                // In Swagger 2.0, the body is a parameter.
                const bodies = [...contents, ...parameters.filter(({ in: place }) => place === "body")];
                const schemas = bodies.map((content) => resolve(document, resolve(document, content)["schema"]));
                return {
                    name: `${method.toUpperCase()} ${path}`,
                    path,
                    parameters: parameters.filter(({ in: place }) => place !== "body").map(({ name }) => String(name)),
                    fields: schemas.flatMap(({ properties }) => Object.keys(objectOf(properties))),
                    responses: Object.keys(objectOf(operation["responses"])).filter((status) => /^\d/.test(status)),
                    credentials: credentialsOf(document, operation),
                };
            });
    });
}

function credentialsOf(document: Json, operation: Json): string[] {
    const { securitySchemes = document["securityDefinitions"] } = objectOf(document["components"]);
    const choices = listOf(operation["security"] ?? document["security"]);
    const names = new Set(choices.flatMap((choice) => Object.keys(objectOf(choice))));
    return [...names].flatMap((name) => {
        const scheme = resolve(document, objectOf(securitySchemes)[name]);
        // Swagger 2.0 has `basic` in place of `http`.
        const type = scheme["type"] === "basic" ? "http, basic" : scheme["type"];
        return type === undefined ? [] : [String(type === "apiKey" ? scheme["name"] : type)];
    });
}

function isObject(value: unknown): value is Json {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectOf(value: unknown): Json {
    return isObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
    return Array.isArray(value) ? value : [];
}

/** Follows references inside the document. */
function resolve(document: Json, value: unknown): Json {
    const reference = objectOf(value)["$ref"];
    if (typeof reference !== "string" || !reference.startsWith("#/")) {
        return objectOf(value);
    }
    const keys = reference.slice(2).split("/");
    const found = keys.reduce<unknown>((from, key) => {
        const name = decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
        return objectOf(from)[name];
    }, document);
    return resolve(document, found);
}
