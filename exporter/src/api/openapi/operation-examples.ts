import { asRecord, recordsOf } from "../../text/json-values.js";
import { type ApiOperation } from "./api-document.js";
import { entriesOf, type Json } from "../documents/references.js";
import { exampleGroup, inTabs } from "../parts/api-sections.js";
import { examplesOf, type SampleOptions } from "../parts/sample.js";
import { type SchemaView } from "../parts/schema-fields.js";
import { type ApiDisplay } from "../../read/settings/site-settings.js";
import { textOfBody } from "./operation-request.js";
import { type ApiRequest, isJson } from "./request.js";
import { type CodeSample, writers } from "./code-writers.js";

/** Code that sends the request, in several languages. */
export function requestExamples(
    operation: ApiOperation,
    request: ApiRequest | undefined,
    { context }: SchemaView,
): string {
    const samples = request === undefined ? [] : codeSamplesOf(operation, request, context.display);
    return exampleGroup(
        "Request",
        samples.map(({ label, language, code }) => context.code(code, language, label)),
    );
}

/** The examples of a request body, unless the only example is already in the request's code. */
export function requestBodyExamples(body: Json, view: SchemaView): string {
    const blocks = blocksOf(body, { without: "readOnly" }, view);
    return blocks.length > 1 ? inTabs(blocks) : "";
}

/** The examples of all responses. */
export function responsesExamples(responses: unknown, view: SchemaView): string {
    const blocks = entriesOf(view.document, responses).flatMap(([status, response]) =>
        blocksOf(response, { without: "writeOnly" }, view, (label, count) =>
            count === 1 ? status : `${status} ${label}`,
        ),
    );
    return exampleGroup("Response", blocks);
}

export function responseExamples(response: Json, view: SchemaView): string {
    return inTabs(blocksOf(response, { without: "writeOnly" }, view));
}

/**
 * The examples of a body as code blocks.
 * @param titleOf the title of an example, by its name and the number of examples
 */
function blocksOf(
    body: Json,
    options: SampleOptions,
    { document, context }: SchemaView,
    titleOf: (label: string, count: number) => string = (label) => label,
): string[] {
    const content = asRecord(body["content"]);
    const first = content["application/json"] === undefined ? Object.keys(content)[0] : "application/json";
    const shown = Object.entries(content).filter(
        ([type, media]) => type === first || ["example", "examples"].some((key) => asRecord(media)[key] !== undefined),
    );
    const examples = shown.flatMap(([type, media]) =>
        examplesOf(document, media, { ...options, warn: context.warn }).map(({ label, value }) => ({
            label: type === first ? label : label === "Example" ? type : `${label} ${type}`,
            language: isJson(type) ? "json" : /[/+]xml/.test(type) ? "xml" : "text",
            text: textOfBody(document, type, media, value),
        })),
    );
    return examples.map(({ label, language, text }) => context.code(text, language, titleOf(label, examples.length)));
}

/** Code that sends a request, in several languages; the document's own samples take precedence. */
function codeSamplesOf(operation: ApiOperation, request: ApiRequest, display: ApiDisplay): CodeSample[] {
    const own = ownSamples(operation.node);
    const known = new Set(
        own.flatMap(({ label, language }) => [label.toLowerCase(), writerNames[language] ?? language]),
    );
    const others = display.makesSamples === false ? [] : writersOf(display).map((write) => write(request));
    return [...own, ...others.filter(({ label }) => !known.has(label.toLowerCase()))];
}

/** Uses the languages from the settings, or the most common ones. */
function writersOf({ languages = [] }: ApiDisplay) {
    const wanted = languages.map((name) => writerNames[name.toLowerCase()] ?? name.toLowerCase());
    const known = [...new Set(wanted)].filter((name): name is keyof typeof writers => Object.hasOwn(writers, name));
    return (known.length === 0 ? usualLanguages : known).map((name) => writers[name]);
}

const usualLanguages = ["curl", "javascript", "python", "go"] as const;

/** Aliases of the supported languages, in `api.examples.languages` and in documents. */
const writerNames: Readonly<Record<string, string>> = {
    bash: "curl",
    shell: "curl",
    sh: "curl",
    js: "javascript",
    node: "javascript",
    py: "python",
    golang: "go",
    rb: "ruby",
    "c#": "csharp",
    cs: "csharp",
    dotnet: "csharp",
};

function ownSamples(node: Json): CodeSample[] {
    return recordsOf(node["x-codeSamples"] ?? node["x-code-samples"]).flatMap(({ lang, label, source }) =>
        typeof source === "string" && typeof lang === "string"
            ? [{ label: typeof label === "string" ? label : lang, language: lang.toLowerCase(), code: source }]
            : [],
    );
}
