import { isRecord } from "../../text/json-values.js";

/** The request that example code sends. */
export interface ApiRequest {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [string, string])[];
    /** The body as JSON; undefined for a request without a body. */
    readonly body: string | undefined;
    readonly bodyType: string | undefined;
}

export interface CodeSample {
    readonly label: string;
    readonly language: string;
    readonly code: string;
}

type Writer = (request: ApiRequest) => CodeSample;

/** The code that sends a request, by language. */
export const writers = {
    curl: writer("cURL", "bash", ({ method, url, headers, body, bodyType }) => {
        const parts = bodyType === undefined ? undefined : curlParts(body, bodyType);
        const own = parts === undefined ? headers : headers.filter(([name]) => name !== "Content-Type");
        return [
            `curl --request ${method} --url '${shell(url)}'`,
            ...own.map(([name, value]) => `--header '${shell(`${name}: ${value}`)}'`),
            ...(parts ?? (body === undefined ? [] : [`--data '${shell(body)}'`])),
        ].join(" \\\n  ");
    }),
    javascript: writer("JavaScript", "javascript", ({ method, url, headers, body }) => [
        `const response = await fetch(${quoted(url)}, {`,
        `  method: "${method}",`,
        ...block("  headers: {", headers, ([name, value]) => `    ${quoted(name)}: ${quoted(value)},`, "  },"),
        ...(body === undefined ? [] : [`  body: JSON.stringify(${body.replaceAll("\n", "\n  ")}),`]),
        "});",
        "console.log(response.status, await response.text());",
    ]),
    python: writer("Python", "python", ({ method, url, headers, body }) => [
        "import requests",
        "",
        "response = requests.request(",
        `    "${method}",`,
        `    ${quoted(url)},`,
        ...block("    headers={", headers, ([name, value]) => `        ${quoted(name)}: ${quoted(value)},`, "    },"),
        ...(body === undefined ? [] : [`    data=${quoted(onOneLine(body))},`]),
        ")",
        "print(response.status_code, response.text)",
    ]),
    go: writer("Go", "go", ({ method, url, headers, body }) => [
        `request, err := http.NewRequest("${method}", ${quoted(url)}, ${body === undefined ? "nil" : `strings.NewReader(${quoted(onOneLine(body))})`})`,
        "if err != nil {",
        "\tlog.Fatal(err)",
        "}",
        ...headers.map(([name, value]) => `request.Header.Set(${quoted(name)}, ${quoted(value)})`),
        "response, err := http.DefaultClient.Do(request)",
    ]),
    php: writer("PHP", "php", ({ method, url, headers, body }) => [
        `$curl = curl_init(${single(url)});`,
        "curl_setopt_array($curl, [",
        `    CURLOPT_CUSTOMREQUEST => ${single(method)},`,
        "    CURLOPT_RETURNTRANSFER => true,",
        ...block(
            "    CURLOPT_HTTPHEADER => [",
            headers,
            ([name, value]) => `        ${single(`${name}: ${value}`)},`,
            "    ],",
        ),
        ...(body === undefined ? [] : [`    CURLOPT_POSTFIELDS => ${single(onOneLine(body))},`]),
        "]);",
        "echo curl_exec($curl);",
    ]),
    ruby: writer("Ruby", "ruby", ({ method, url, headers, body }) => [
        'require "net/http"',
        "",
        `uri = URI(${single(url)})`,
        `request = Net::HTTP::${method.charAt(0)}${method.slice(1).toLowerCase()}.new(uri)`,
        ...headers.map(([name, value]) => `request[${single(name)}] = ${single(value)}`),
        ...(body === undefined ? [] : [`request.body = ${single(onOneLine(body))}`]),
        'response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }',
        "puts response.code, response.body",
    ]),
    java: writer("Java", "java", ({ method, url, headers, body }) => [
        "HttpRequest request = HttpRequest.newBuilder()",
        `    .uri(URI.create(${quoted(url)}))`,
        ...headers.map(([name, value]) => `    .header(${quoted(name)}, ${quoted(value)})`),
        `    .method("${method}", HttpRequest.BodyPublishers.${body === undefined ? "noBody()" : `ofString(${quoted(onOneLine(body))})`})`,
        "    .build();",
        "HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());",
        'System.out.println(response.statusCode() + " " + response.body());',
    ]),
    csharp: writer("C#", "csharp", ({ method, url, headers, body, bodyType = "" }) => [
        "using var client = new HttpClient();",
        `using var request = new HttpRequestMessage(new HttpMethod("${method}"), ${quoted(url)});`,
        // .NET accepts the content type only on the body, not on the request.
        ...headers
            .filter(([name]) => name.toLowerCase() !== "content-type")
            .map(([name, value]) => `request.Headers.TryAddWithoutValidation(${quoted(name)}, ${quoted(value)});`),
        ...(body === undefined
            ? []
            : [`request.Content = new StringContent(${quoted(onOneLine(body))}, Encoding.UTF8, ${quoted(bodyType)});`]),
        "using var response = await client.SendAsync(request);",
        "Console.WriteLine(await response.Content.ReadAsStringAsync());",
    ]),
} satisfies Readonly<Record<string, Writer>>;

function writer(label: string, language: string, code: (request: ApiRequest) => string | readonly string[]): Writer {
    return (request) => ({ label, language, code: [code(request)].flat().join("\n") });
}

function quoted(text: string): string {
    return JSON.stringify(text);
}

function shell(text: string): string {
    return text.replaceAll("'", "'\\''");
}

/** Empty without items. */
function block<T>(begin: string, items: readonly T[], write: (item: T) => string, end: string): string[] {
    return items.length === 0 ? [] : [begin, ...items.map(write), end];
}

/** A PHP or Ruby string literal without interpolation. */
function single(text: string): string {
    return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

function onOneLine(json: string): string {
    return json.replace(/\s*\n\s*/g, " ");
}

/** Whether a body of this type is a form, whose fields are sent separately. */
export function isForm(type: string): boolean {
    return isMultipart(type) || /^application\/x-www-form-urlencoded\b/i.test(type);
}

function isMultipart(type: string): boolean {
    return /^multipart\/form-data\b/i.test(type);
}

/** Each form field as a curl option; curl adds the content type with the boundary. */
function curlParts(body: string | undefined, type: string): string[] | undefined {
    const option = isMultipart(type) ? "--form" : "--data-urlencode";
    const parts: unknown = isForm(type) && body !== undefined ? JSON.parse(body) : undefined;
    return isRecord(parts)
        ? Object.entries(parts).map(([name, value]) => {
              const text = typeof value === "string" ? value : JSON.stringify(value);
              // curl treats a value that begins with `@` as a file name; the code uses `@file` only for files.
              const isLiteral = option === "--form" && /^[@<]/.test(text) && text !== "@file";
              return `${isLiteral ? "--form-string" : option} '${shell(`${name}=${text}`)}'`;
          })
        : undefined;
}
