import fc from "fast-check";
import { type Files } from "../../support/site-fixture.js";

type Json = Record<string, unknown>;

/** Names that are also keywords, or that HTML or JavaScript could misread. */
const names = [
    ..."a b example default enum value items type required properties const $defs schema examples".split(" "),
    ..."constructor toString hasOwnProperty <b> {x} x-y naïve 日本 a/b a~b".split(" "),
];
const texts = [
    "Text.",
    "Text with `code` and *marks*.",
    "# Heading\n\n- one\n- two\n",
    "A {brace} and <tag>.",
    "1 < 2",
];

/** Random documents of one or several files, whose schemas refer to each other, to themselves and to other files. */
export const randomDocuments = fc.gen().map((g): { files: Files; entry: string } => {
    const upTo = (max: number) => g(fc.nat, { max });
    const pick = <T>(items: readonly T[]): T => items[upTo(items.length - 1)] as T;
    const often = () => upTo(2) > 0;
    const seldom = () => upTo(7) === 0;
    const others: Record<string, unknown> = {};
    const countOfModels = upTo(6) + 1;
    // Long texts fill pages, so that models get their own.
    const isLong = upTo(2) === 0;

    const text = () => (isLong && often() ? pick(texts).padEnd(8000, "long ") : pick(texts));
    const model = () => ({ $ref: `#/components/schemas/M${upTo(countOfModels - 1)}` });

    /** Puts a value into its own file, now and then. */
    const perhapsInFile = (value: unknown): unknown => {
        if (!seldom() || isReference(value)) {
            return value;
        }
        const file = `parts/f${Object.keys(others).length}.json`;
        others[file] = value;
        // Parts of a file refer to the document by its name.
        return { $ref: file };
    };

    const texted = (schema: Json): Json => ({
        ...schema,
        ...(often() && { description: text() }),
        ...(seldom() && { title: pick(names) }),
        ...(seldom() && { readOnly: true }),
        ...(seldom() && { writeOnly: true }),
    });

    const fieldsOf = (depth: number): Json =>
        Object.fromEntries(Array.from({ length: upTo(4) + 1 }, () => [pick(names), schema(depth - 1)]));

    const plain = (): Json =>
        pick<() => Json>([
            () => ({ type: "string" }),
            () => ({ type: "string", enum: ["one", "two <three>"] }),
            () => ({ type: "string", example: "example" }),
            () => ({ type: "string", examples: ["first", "second"] }),
            () => ({ type: "string", example: "long ".repeat(300) }),
            () => ({ type: "object", example: { a: ["deep", { b: "deeper" }] } }),
            () => ({}),
        ])();

    function schema(depth: number): unknown {
        if (depth <= 0) {
            return often() ? texted(plain()) : model();
        }
        const made = pick<() => Json>([
            () => texted({ type: "object", properties: fieldsOf(depth), required: [pick(names)] }),
            () => texted({ type: "object", properties: fieldsOf(depth) }),
            () => texted({ type: "array", items: schema(depth - 1) }),
            () => texted({ allOf: [schema(depth - 1), model(), schema(depth - 1)] }),
            () => texted({ allOf: [model()], properties: fieldsOf(depth) }),
            () => texted({ oneOf: [schema(depth - 1), model(), schema(depth - 1)] }),
            () => texted({ anyOf: [schema(depth - 1), { type: "null" }] }),
            () => texted({ type: "object", additionalProperties: schema(depth - 1) }),
            () => texted({ type: "object", patternProperties: { "^x": schema(depth - 1) } }),
            () => texted({ prefixItems: [schema(depth - 1), schema(depth - 1)], items: false }),
            () => texted({ not: schema(depth - 1), if: schema(depth - 1), then: schema(depth - 1) }),
            () => ({ ...model(), description: text() }),
            model,
            () => texted(plain()),
        ])();
        return perhapsInFile(made);
    }

    /** A model that is more than a reference, because references in a circle have no target. */
    const modelOf = (): unknown => {
        const made = schema(3);
        return isReference(made) ? { properties: { a: made } } : made;
    };

    const mediaOf = (): Json => ({
        schema: schema(3),
        ...(seldom() && { example: { a: "example of a body" } }),
        ...(seldom() && { examples: { one: { summary: "One", value: "one" }, two: { value: { a: "two" } } } }),
    });
    const contentOf = (): unknown =>
        perhapsInFile({
            [pick(["application/json", "text/plain", "multipart/form-data"])]: mediaOf(),
            ...(seldom() && { "application/xml": mediaOf() }),
        });
    const parameterOf = (at: number): unknown =>
        perhapsInFile({
            name: `p${at}`,
            in: pick(["query", "header", "cookie"]),
            description: text(),
            schema: schema(1),
            ...(seldom() && { example: "of a parameter" }),
            ...(seldom() && { examples: { one: { value: "first of a parameter" } } }),
        });
    const responseOf = (): unknown =>
        perhapsInFile({
            description: text(),
            ...(often() && { content: contentOf() }),
            ...(seldom() && { headers: { "X-H": { description: text(), schema: schema(1) } } }),
        });
    const operationOf = (at: number): unknown =>
        perhapsInFile({
            summary: `Operation ${at}`,
            description: text(),
            parameters: Array.from({ length: upTo(2) }, (_, index) => parameterOf(index)),
            ...(often() && { requestBody: perhapsInFile({ description: text(), content: contentOf() }) }),
            responses: { 200: responseOf(), ...(often() && { 400: responseOf() }) },
            ...(seldom() && {
                callbacks: {
                    done: {
                        "{$url}": {
                            post: {
                                description: text(),
                                responses: { 200: responseOf() },
                                parameters: [parameterOf(9)],
                            },
                        },
                    },
                },
            }),
        });

    const document = {
        openapi: "3.1.0",
        info: { title: "Random", version: "1" },
        paths: Object.fromEntries(
            Array.from({ length: upTo(2) + 1 }, (_, at) => [`/o${at}`, perhapsInFile({ post: operationOf(at) })]),
        ),
        components: {
            schemas: Object.fromEntries(Array.from({ length: countOfModels }, (_, at) => [`M${at}`, modelOf()])),
        },
    };
    return { files: filesOf("api.json", document, others), entry: "api.json" };
});

function isReference(value: unknown): boolean {
    return Object.hasOwn(value as object, "$ref");
}

/** The files as texts. References within the document become references from the other files to it. */
function filesOf(entry: string, document: Json, others: Readonly<Record<string, unknown>>): Files {
    const texts = Object.entries(others).map(([name, value]) => {
        const text = JSON.stringify(value)
            .replaceAll('"$ref":"#/', `"$ref":"../${entry}#/`)
            .replaceAll('"$ref":"parts/', '"$ref":"');
        return [name, text] as const;
    });
    return { ...Object.fromEntries(texts), [entry]: JSON.stringify(document) };
}
