import { type ApiOperation, type Json } from "./api-document.js";
import { type ApiDisplay } from "../settings/api-display.js";
import { isRecord } from "../files/config-file.js";
import { type ApiRequest, type CodeSample } from "./code-writers/code-sample.js";
import { csharp, java, php, ruby } from "./code-writers/more-code-samples.js";
import { listOf } from "./schema-list.js";

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
    const usual = { curl, javascript, python, go };
    const all = { ...usual, php, ruby, java, csharp };
    const wanted = languages.map((name) => writerNames[name.toLowerCase()] ?? name.toLowerCase());
    const known = [...new Set(wanted)].filter((name): name is keyof typeof all => Object.hasOwn(all, name));
    return (known.length === 0 ? (Object.keys(usual) as (keyof typeof usual)[]) : known).map((name) => all[name]);
}

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
    return listOf(node["x-codeSamples"] ?? node["x-code-samples"])
        .filter(isRecord)
        .flatMap(({ lang, label, source }) =>
            typeof source === "string" && typeof lang === "string"
                ? [{ label: typeof label === "string" ? label : lang, language: lang.toLowerCase(), code: source }]
                : [],
        );
}

function curl({ method, url, headers, body }: ApiRequest): CodeSample {
    const lines = [`curl --request ${method} --url '${shell(url)}'`];
    lines.push(...headers.map(([name, value]) => `--header '${shell(`${name}: ${value}`)}'`));
    if (body !== undefined) {
        lines.push(`--data '${shell(body)}'`);
    }
    return { label: "cURL", language: "bash", code: lines.join(" \\\n  ") };
}

function shell(text: string): string {
    return text.replaceAll("'", "'\\''");
}

function javascript({ method, url, headers, body }: ApiRequest): CodeSample {
    const head = headers.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`).join("");
    const lines = [
        `const response = await fetch(${JSON.stringify(url)}, {\n  method: "${method}",\n`,
        head === "" ? "" : `  headers: {\n${head}  },\n`,
        body === undefined ? "" : `  body: JSON.stringify(${body.replaceAll("\n", "\n  ")}),\n`,
        "});\nconsole.log(response.status, await response.text());",
    ];
    return { label: "JavaScript", language: "javascript", code: lines.join("") };
}

function python({ method, url, headers, body }: ApiRequest): CodeSample {
    const head = headers.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`).join("");
    const lines = [
        `import requests\n\nresponse = requests.request(\n    "${method}",\n    ${JSON.stringify(url)},\n`,
        head === "" ? "" : `    headers={\n${head.replace(/^/gm, "    ").trimEnd()}\n    },\n`,
        body === undefined ? "" : `    data=${JSON.stringify(body.replace(/\s*\n\s*/g, " "))},\n`,
        ")\nprint(response.status_code, response.text)",
    ];
    return { label: "Python", language: "python", code: lines.join("") };
}

function go({ method, url, headers, body }: ApiRequest): CodeSample {
    const payload = body === undefined ? "nil" : `strings.NewReader(${JSON.stringify(body.replace(/\s*\n\s*/g, " "))})`;
    const lines = [
        `request, err := http.NewRequest("${method}", ${JSON.stringify(url)}, ${payload})`,
        "if err != nil {\n\tlog.Fatal(err)\n}",
        ...headers.map(([name, value]) => `request.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`),
        "response, err := http.DefaultClient.Do(request)",
    ];
    return { label: "Go", language: "go", code: lines.join("\n") };
}
