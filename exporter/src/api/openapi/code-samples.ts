import { type ApiDisplay } from "../../read/settings/site-settings.js";
import { recordsOf } from "../../text/json-values.js";
import { type ApiOperation } from "./api-document.js";
import { type Json } from "../documents/references.js";
import { type ApiRequest, type CodeSample, writers } from "./code-writers.js";

/** Code that sends a request, in several languages; the document's own samples stand in place of ours. */
export function codeSamplesOf(operation: ApiOperation, request: ApiRequest, display: ApiDisplay): CodeSample[] {
    const own = ownSamples(operation.node);
    const known = new Set(
        own.flatMap(({ label, language }) => [label.toLowerCase(), writerNames[language] ?? language]),
    );
    const others = display.makesSamples === false ? [] : writersOf(display).map((write) => write(request));
    return [...own, ...others.filter(({ label }) => !known.has(label.toLowerCase()))];
}

/** In the languages that the settings want, or in those that most readers look for. */
function writersOf({ languages = [] }: ApiDisplay) {
    const wanted = languages.map((name) => writerNames[name.toLowerCase()] ?? name.toLowerCase());
    const known = [...new Set(wanted)].filter((name): name is keyof typeof writers => Object.hasOwn(writers, name));
    return (known.length === 0 ? usualLanguages : known).map((name) => writers[name]);
}

const usualLanguages = ["curl", "javascript", "python", "go"] as const;

/** Other names of our languages, in `api.examples.languages` and in documents. */
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
