import { asRecord, recordsOf } from "../../text/json-values.js";
import { type ApiOperation } from "./api-document.js";
import { entriesOf, type Json } from "../documents/references.js";
import { exampleGroup, inTabs } from "../parts/api-sections.js";
import { examplesOf, type SampleOptions } from "../parts/sample.js";
import { type SchemaView } from "../parts/schema-fields.js";
import { type ApiDisplay } from "../../read/settings/site-settings.js";
import { isBodyWith, textOfBody } from "./operation-request.js";
import { type ApiRequest, isJson, isXml, type RequestBody } from "./request.js";
import { type CodeSample, writers } from "./code-writers.js";

/** Code that sends the request, in several languages, and the body that generated code sends. */
export function requestExamples(
    operation: ApiOperation,
    request: ApiRequest | undefined,
    { context }: SchemaView,
): { readonly html: string; readonly sent: RequestBody | undefined } {
    if (request === undefined) {
        return { html: "", sent: undefined };
    }
    const { own, generated } = codeSamplesOf(operation, request, context.display);
    const blocks = [...own, ...generated].map(({ label, language, code }) => context.code(code, language, label));
    return { html: exampleGroup("Request", blocks), sent: generated.length > 0 ? request.body : undefined };
}

/**
 * The examples of a request body in the document, and those that show its XML, unless the only one is already in the
 * request's code.
 * @param sent the body that generated code sends; undefined if the page has no such code
 */
export function requestBodyExamples(body: Json, sent: RequestBody | undefined, view: SchemaView): string {
    const examples = examplesIn(body, { without: "readOnly" }, view).filter(isGivenOrXml);
    const [only] = examples;
    if (examples.length === 1 && only?.isDescribed === false) {
        const { type, media, value } = only;
        if (isBodyWith(sent, view.document, type, media, value)) {
            return "";
        }
    }
    return inTabs(examples.map((each) => codeOf(each, each.label, view)));
}

/** The examples of all responses. */
export function responsesExamples(responses: unknown, view: SchemaView): string {
    const blocks = entriesOf(view.document, responses).flatMap(([status, response]) => {
        const examples = examplesIn(response, { without: "writeOnly" }, view);
        return examples.map((each) => {
            const isPlain = examples.length === 1 && !each.isDescribed;
            return codeOf(each, isPlain ? status : `${status} ${each.label}`, view);
        });
    });
    return exampleGroup("Response", blocks);
}

export function responseExamples(response: Json, view: SchemaView): string {
    const examples = examplesIn(response, { without: "writeOnly" }, view);
    return inTabs(examples.map((each) => codeOf(each, each.label, view)));
}

interface WrittenExample {
    readonly label: string;
    readonly value: unknown;
    readonly media: unknown;
    readonly type: string;
    readonly text: string;
    readonly isGiven: boolean;
    readonly isDescribed: boolean;
}

function codeOf({ type, text }: WrittenExample, title: string, { context }: SchemaView): string {
    return context.code(text, isJson(type) ? "json" : isXml(type) ? "xml" : "text", title);
}

/** Only an example shows the names of elements and attributes, which need not be the names of fields. */
function isGivenOrXml({ isGiven, type, value }: Pick<WrittenExample, "isGiven" | "type" | "value">): boolean {
    return isGiven || (isXml(type) && typeof value === "object" && value !== null);
}

/** The examples of a body in its first type, and those in other types that the document has, or that show XML. */
function examplesIn(body: Json, options: SampleOptions, { document, context }: SchemaView): WrittenExample[] {
    const content = asRecord(body["content"]);
    const first = content["application/json"] === undefined ? Object.keys(content)[0] : "application/json";
    const texts = new Set<string>();
    return Object.entries(content)
        .sort(([one], [other]) => Number(other === first) - Number(one === first))
        .flatMap(([type, media]) => {
            const isFirst = type === first;
            return examplesOf(document, media, { ...options, warn: context.warn })
                .filter((each) => isFirst || isGivenOrXml({ ...each, type }))
                .map(({ label, value, ...about }) => ({
                    ...about,
                    value,
                    media,
                    type,
                    label: isFirst ? label : about.isDescribed ? `${label} ${type}` : type,
                    text: textOfBody(document, type, media, value),
                }));
        })
        .filter(({ text }) => !texts.has(text) && texts.add(text));
}

/** Code that sends a request, in several languages; the document's own samples take precedence. */
function codeSamplesOf({ node }: ApiOperation, request: ApiRequest, display: ApiDisplay) {
    const own = ownSamples(node);
    const known = new Set(
        own.flatMap(({ label, language }) => [label.toLowerCase(), writerNames[language] ?? language]),
    );
    const all = display.makesSamples === false ? [] : writersOf(display).map((write) => write(request));
    return { own, generated: all.filter(({ label }) => !known.has(label.toLowerCase())) };
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
