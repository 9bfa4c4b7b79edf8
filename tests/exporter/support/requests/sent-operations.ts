/** Operations with every kind of parameter, body and credential, each under its own name. */
export const securitySchemes = {
    header: { type: "apiKey", name: "X-Key", in: "header" },
    query: { type: "apiKey", name: "app id", in: "query" },
    cookie: { type: "apiKey", name: "session", in: "cookie" },
    bearer: { type: "http", scheme: "BEARER" },
    login: { type: "oauth2", flows: {} },
    basic: { type: "http", scheme: "Basic" },
};

interface SentOperation {
    readonly name: string;
    readonly method?: string;
    readonly path?: string;
    readonly node: Record<string, unknown>;
}

const words = `It's "so": 100 % & \\n $HOME \`id\` #{1} {x} \${y} ž 猫`;

const list = { type: "array", items: { type: "string" } };
const object = { type: "object", properties: { r: { type: "integer" }, g: { type: "string" } } };
const colours = ["red", "light blue", "a,b&c"];
const colour = { r: 100, g: "a b" };

function parameter(place: string, style: string, explode: boolean, schema: object, example: unknown): SentOperation {
    const name = `${place}, ${style}, ${explode ? "exploded" : "joined"} ${Array.isArray(example) ? "list" : "object"}`;
    const label = place === "header" ? "the-colour" : "the colour";
    const given = { name: label, in: place, required: true, style, explode, schema, example };
    return { name, path: place === "path" ? "/a/{the colour}/b" : "/a", node: { parameters: [given] } };
}

const styles = [
    ...["simple", "label", "matrix"].map((style) => ["path", style] as const),
    ...["form", "spaceDelimited", "pipeDelimited"].map((style) => ["query", style] as const),
    ["header", "simple"] as const,
];

const ofStyles = styles.flatMap(([place, style]) =>
    [true, false].flatMap((explode) => [
        parameter(place, style, explode, list, place === "header" ? ["red", "blue"] : colours),
        parameter(place, style, explode, object, place === "header" ? { r: 1, g: "b" } : colour),
    ]),
);

function body(name: string, type: string, media: object): SentOperation {
    return { name, method: "post", node: { requestBody: { content: { [type]: media } } } };
}

const form = {
    type: "object",
    properties: {
        text: { type: "string", example: words },
        tags: { type: "array", items: { type: "string" }, example: ["a", "b c"] },
        about: { type: "object", example: { name: "a;b", id: 1 } },
    },
};

const files = {
    ...form,
    properties: {
        ...form.properties,
        at: { type: "string", example: "@home" },
        picture: { type: "string", format: "binary" },
        pages: { type: "array", items: { type: "string", format: "binary" } },
    },
};

const query = (name: string, given: object): SentOperation => ({
    name,
    node: { parameters: [{ name: "q", in: "query", ...given }] },
});

export const sentOperations: readonly SentOperation[] = [
    ...ofStyles,
    query("deepObject", {
        style: "deepObject",
        schema: object,
        example: { r: 1, inner: { list: ["a", "b"], b: "c d" } },
    }),
    query("JSON in the query", { content: { "application/json": { schema: object, example: { a: [words] } } } }),
    query("reserved characters", { allowReserved: true, schema: { type: "string" }, example: "a/b:c?d=1;e" }),
    query("words in the query", { schema: { type: "string" }, example: words }),
    query("a default", { schema: { type: "integer", default: 20 } }),
    query("a needed parameter without an example", { required: true, schema: { type: "string" } }),
    { name: "names in the path", path: "/{a}:{b}/{c}", node: { parameters: [] } },
    { name: "a header", node: { parameters: [{ name: "X-Trace", in: "header", required: true, example: "a b" }] } },
    { name: "a cookie", node: { parameters: [{ name: "theme", in: "cookie", example: "dark blue" }] } },
    ...Object.keys(securitySchemes).map((scheme) => ({
        name: `credentials: ${scheme}`,
        node: { security: [{ [scheme]: [] }] },
    })),
    { name: "two keys", node: { security: [{ header: [], query: [], bearer: [], login: [] }] } },
    {
        name: "two cookies",
        node: { security: [{ cookie: [] }], parameters: [{ name: "b", in: "cookie", example: "1" }] },
    },
    body("JSON", "application/json", { example: { words, list: [1, 2.5, true, null], deep: { a: [{}] } } }),
    body("JSON of long integers", "application/json; charset=utf-8", {
        schema: { type: "integer", const: 1253261109769874438n },
    }),
    body("JSON with another name", "application/vnd.api+json", { example: [words] }),
    body("JSON that a document has as text", "application/json", { example: '{"a": 1}' }),
    body("JSON text", "application/json", { example: words }),
    body("lines of JSON", "application/x-ndjson", { example: [{ a: 1 }, { a: words }] }),
    body("text", "text/plain", { example: `${words}\nnext\tline` }),
    body("text with the sign of a file", "text/plain", { example: "@home" }),
    body("XML", "application/xml", { example: "<pot><name a='1'>blue</name></pot>" }),
    body("XML of a schema", "application/xml", { schema: form }),
    body("a form", "application/x-www-form-urlencoded", {
        schema: form,
        encoding: { about: { style: "deepObject" }, tags: { explode: false } },
    }),
    body("a form with JSON", "application/x-www-form-urlencoded", { schema: form }),
    body("parts", "multipart/form-data", { schema: form, encoding: { text: { contentType: "text/markdown" } } }),
    body("parts with files", "multipart/form-data", {
        schema: files,
        encoding: { picture: { contentType: "image/png" } },
    }),
    body("parts with headers", "multipart/form-data", {
        schema: files,
        encoding: {
            text: { headers: { "X-Language": { required: true, example: `"en"; de` } } },
            about: { headers: { "X-Part": { schema: { type: "string", default: "one" } } } },
            picture: {
                contentType: "image/png",
                headers: { "X-Part": { required: true, schema: { type: "string" } }, "X-Not-Sent": {} },
            },
        },
    }),
    body("bytes", "application/octet-stream", { schema: { type: "string", format: "binary" } }),
    body("a picture", "image/png", {}),
    {
        name: "a body to delete",
        method: "delete",
        node: { requestBody: { content: { "application/json": { example: [1] } } } },
    },
    { name: "only the head", method: "head", node: {} },
    { name: "options", method: "options", node: {} },
];
