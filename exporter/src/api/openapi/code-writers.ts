import { type ApiRequest, type RequestBody, type RequestPart } from "./api-request.js";
import { isJson } from "./parameter-styles.js";

export interface CodeSample {
    readonly label: string;
    readonly language: string;
    readonly code: string;
}

type Writer = (request: ApiRequest) => CodeSample;

/** The code that sends a request, by language. */
export const writers = {
    curl: writer("cURL", "bash", ({ method, url, headers, body }) =>
        [
            `curl ${method === "HEAD" ? "--head" : `--request ${method}`} --url '${shell(url)}'`,
            ...headers.map(([name, value]) => `--header '${shell(`${name}: ${value}`)}'`),
            ...curlBody(body),
        ].join(" \\\n  "),
    ),
    javascript: writer("JavaScript", "javascript", ({ method, url, headers, body }) => {
        const hasFile = body?.file !== undefined || body?.parts?.some(({ file }) => file !== undefined);
        // `fetch` refuses the body of these methods.
        const content = method === "GET" || method === "HEAD" ? undefined : body;
        return [
            ...(hasFile === true ? ['import { openAsBlob } from "node:fs";', ""] : []),
            ...block("const form = new FormData();", content?.parts ?? [], javascriptPart, ""),
            `const response = await fetch(${quoted(url)}, {`,
            `  method: "${method}",`,
            ...block("  headers: {", headers, ([name, value]) => `    ${quoted(name)}: ${quoted(value)},`, "  },"),
            ...(content === undefined ? [] : [`  body: ${javascriptBody(content)},`]),
            "});",
            "console.log(response.status, await response.text());",
        ];
    }),
    python: writer("Python", "python", ({ method, url, headers, body }) => [
        "import requests",
        "",
        "response = requests.request(",
        `    "${method}",`,
        `    ${quoted(url)},`,
        ...block("    headers={", headers, ([name, value]) => `        ${quoted(name)}: ${quoted(value)},`, "    },"),
        ...pythonBody(body),
        ")",
        "print(response.status_code, response.text)",
    ]),
    go: writer("Go", "go", ({ method, url, headers, body }) => {
        const pieces = piecesOf(body);
        const texts = pieces.map((piece) => (typeof piece === "string" ? quoted(piece) : "string(file)"));
        return [
            ...(texts.includes("string(file)")
                ? [`file, err := os.ReadFile(${quoted(body?.file ?? "file")})`, ...goCheck]
                : []),
            `request, err := http.NewRequest("${method}", ${quoted(url)}, ${texts.length === 0 ? "nil" : `strings.NewReader(${texts.join("+")})`})`,
            ...goCheck,
            ...typedHeaders({ headers, body }).map(
                ([name, value]) => `request.Header.Set(${quoted(name)}, ${quoted(value)})`,
            ),
            "response, err := http.DefaultClient.Do(request)",
            ...goCheck,
            "fmt.Println(response.Status)",
        ];
    }),
    php: writer("PHP", "php", ({ method, url, headers, body }) => [
        `$curl = curl_init(${single(url)});`,
        "curl_setopt_array($curl, [",
        `    ${method === "HEAD" ? "CURLOPT_NOBODY => true" : `CURLOPT_CUSTOMREQUEST => ${single(method)}`},`,
        "    CURLOPT_RETURNTRANSFER => true,",
        ...block(
            "    CURLOPT_HTTPHEADER => [",
            typedHeaders({ headers, body }),
            ([name, value]) => `        ${single(`${name}: ${value}`)},`,
            "    ],",
        ),
        ...joined(
            body,
            "    CURLOPT_POSTFIELDS => ",
            phpText,
            (file) => `file_get_contents(${single(file)})`,
            " . ",
            ",",
        ),
        "]);",
        "echo curl_exec($curl);",
    ]),
    ruby: writer("Ruby", "ruby", ({ method, url, headers, body }) => [
        'require "net/http"',
        "",
        `uri = URI(${single(url)})`,
        rubyMethods.has(method)
            ? `request = Net::HTTP::${method.charAt(0)}${method.slice(1).toLowerCase()}.new(uri)`
            : `request = Net::HTTPGenericRequest.new(${single(method)}, true, true, uri)`,
        ...typedHeaders({ headers, body }).map(([name, value]) => `request[${single(name)}] = ${single(value)}`),
        ...joined(body, "request.body = ", rubyText, (file) => `File.binread(${single(file)})`, " + "),
        'response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }',
        "puts response.code, response.body",
    ]),
    java: writer("Java", "java", ({ method, url, headers, body }) => {
        const pieces = piecesOf(body).map((piece) =>
            typeof piece === "string"
                ? `HttpRequest.BodyPublishers.ofString(${quoted(piece)})`
                : `HttpRequest.BodyPublishers.ofFile(Path.of(${quoted(piece.file)}))`,
        );
        const publisher = pieces.length > 1 ? `HttpRequest.BodyPublishers.concat(${pieces.join(", ")})` : pieces[0];
        return [
            "HttpRequest request = HttpRequest.newBuilder()",
            `    .uri(URI.create(${quoted(url)}))`,
            ...typedHeaders({ headers, body }).map(([name, value]) => `    .header(${quoted(name)}, ${quoted(value)})`),
            `    .method("${method}", ${publisher ?? "HttpRequest.BodyPublishers.noBody()"})`,
            "    .build();",
            "HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());",
            'System.out.println(response.statusCode() + " " + response.body());',
        ];
    }),
    csharp: writer("C#", "csharp", ({ method, url, headers, body }) => {
        const all = typedHeaders({ headers, body });
        const isType = ([name]: readonly [string, string]) => name.toLowerCase() === "content-type";
        const bytes = (piece: string) => `Encoding.UTF8.GetBytes(${quoted(piece)})`;
        const read = (file: string) => `File.ReadAllBytes(${quoted(file)})`;
        return [
            "using var client = new HttpClient();",
            `using var request = new HttpRequestMessage(new HttpMethod("${method}"), ${quoted(url)});`,
            // .NET accepts the content type only on the body, not on the request.
            ...all
                .filter((header) => !isType(header))
                .map(([name, value]) => `request.Headers.TryAddWithoutValidation(${quoted(name)}, ${quoted(value)});`),
            ...joined(body, "byte[][] parts = { ", bytes, read, ", ", " };"),
            ...(body === undefined
                ? []
                : ["request.Content = new ByteArrayContent(parts.SelectMany(part => part).ToArray());"]),
            ...all
                .filter(isType)
                .map(
                    ([name, value]) => `request.Content.Headers.TryAddWithoutValidation("${name}", ${quoted(value)});`,
                ),
            "using var response = await client.SendAsync(request);",
            "Console.WriteLine(await response.Content.ReadAsStringAsync());",
        ];
    }),
} satisfies Readonly<Record<string, Writer>>;

const goCheck = ["if err != nil {", "\tlog.Fatal(err)", "}"];

/** The methods for which Ruby has a class. */
const rubyMethods = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE"]);

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

const phpText = (text: string) => text.split("\r\n").map(single).join(` . "\\r\\n" . `);
/** Ruby joins text with the bytes of a file only if text beyond ASCII is bytes, too. */
const rubyText = (text: string) =>
    text
        .split("\r\n")
        .map((line) => single(line) + (/^[ -~\s]*$/.test(line) ? "" : ".b"))
        .join(` + "\\r\\n" + `);

/** JSON on one line; other text as it is. */
function lineOf({ type, text = "" }: RequestBody): string {
    return isJson(type) ? text.replace(/\s*\n\s*/g, " ") : text;
}

/** A body as texts and files, which follow each other. */
function piecesOf(body: RequestBody | undefined): (string | { readonly file: string })[] {
    if (body?.parts === undefined) {
        return body === undefined ? [] : [body.file === undefined ? lineOf(body) : { file: body.file }];
    }
    const pieces: (string | { readonly file: string })[] = [];
    let text = "";
    for (const { name, type, file, text: value = "" } of body.parts) {
        const label = (given: string) => given.replace(/["\r\n]/g, (each) => encodeURIComponent(each));
        text += `--${boundaryOf(body)}\r\nContent-Disposition: form-data; name="${label(name)}"`;
        text += file === undefined ? "" : `; filename="${label(file)}"`;
        const shownType = type ?? (file === undefined ? undefined : "application/octet-stream");
        text += `${shownType === undefined ? "" : `\r\nContent-Type: ${shownType}`}\r\n\r\n${value}`;
        if (file !== undefined) {
            pieces.push(text, { file });
            text = "";
        }
        text += "\r\n";
    }
    return [...pieces, `${text}--${boundaryOf(body)}--\r\n`];
}

/** A boundary that occurs in no part. */
function boundaryOf({ parts = [] }: RequestBody): string {
    let boundary = "boundary";
    while (parts.some(({ text }) => text?.includes(boundary))) {
        boundary += "-1";
    }
    return boundary;
}

/** The headers for languages that send the parts of a form as one text. */
function typedHeaders({ headers, body }: Pick<ApiRequest, "headers" | "body">): ApiRequest["headers"] {
    return body?.parts === undefined
        ? headers
        : [...headers, ["Content-Type", `${body.type}; boundary=${boundaryOf(body)}`]];
}

/** A body as one expression; empty without a body. */
function joined(
    body: RequestBody | undefined,
    begin: string,
    write: (text: string) => string,
    read: (file: string) => string,
    operator: string,
    end = "",
): string[] {
    const pieces = piecesOf(body).map((piece) => (typeof piece === "string" ? write(piece) : read(piece.file)));
    return pieces.length === 0 ? [] : [begin + pieces.join(operator) + end];
}

function curlBody(body: RequestBody | undefined): string[] {
    if (body === undefined) {
        return [];
    }
    if (body.parts !== undefined) {
        return body.parts.map(curlPart);
    }
    if (body.file !== undefined) {
        return [`--data-binary '@${shell(body.file)}'`];
    }
    const { text = "" } = body;
    if (isUrlEncoded(body)) {
        return pairsOf(text).map(([name, value]) => `--data-urlencode '${encodeURIComponent(name)}=${shell(value)}'`);
    }
    // curl reads the file whose name follows `@`.
    return [`--data${text.startsWith("@") ? "-raw" : ""} '${shell(text)}'`];
}

function curlPart({ name, text = "", file, type }: RequestPart): string {
    const typed = type === undefined ? "" : `;type=${type}`;
    if (file !== undefined) {
        return `--form '${shell(`${name}=@${file}${typed}`)}'`;
    }
    // curl interprets the beginning of a value, and a semicolon, unless the value has quotes.
    const isPlain = !/^[@<"(]|;/.test(text);
    const value = isPlain || type === undefined ? text : `"${text.replace(/["\\]/g, "\\$&")}"`;
    return `${isPlain || type !== undefined ? "--form" : "--form-string"} '${shell(`${name}=${value}${typed}`)}'`;
}

function isUrlEncoded({ type }: RequestBody): boolean {
    return /urlencoded/i.test(type);
}

/** The decoded fields of a form. */
function pairsOf(text: string): [name: string, value: string][] {
    return [...new URLSearchParams(text)];
}

function javascriptBody(body: RequestBody): string {
    const { type, text = "", file } = body;
    if (body.parts !== undefined) {
        return "form";
    }
    if (file !== undefined) {
        return `await openAsBlob(${quoted(file)})`;
    }
    if (isUrlEncoded(body)) {
        return `new URLSearchParams(${JSON.stringify(pairsOf(text))})`;
    }
    // JavaScript would round long integers.
    return isJson(type) && !/\d{16}/.test(text)
        ? `JSON.stringify(${text.replaceAll("\n", "\n  ")})`
        : quoted(lineOf(body));
}

function javascriptPart({ name, text = "", file, type }: RequestPart): string {
    const options = type === undefined ? "" : `, { type: ${quoted(type)} }`;
    const value =
        file !== undefined
            ? `await openAsBlob(${quoted(file)}${options}), ${quoted(file)}`
            : type === undefined
              ? quoted(text)
              : `new Blob([${quoted(text)}]${options})`;
    return `form.append(${quoted(name)}, ${value});`;
}

function pythonBody(body: RequestBody | undefined): string[] {
    if (body === undefined) {
        return [];
    }
    if (body.parts !== undefined) {
        return block("    files=[", body.parts, pythonPart, "    ],");
    }
    const { text = "", file } = body;
    if (file !== undefined) {
        return [`    data=open(${quoted(file)}, "rb"),`];
    }
    return isUrlEncoded(body)
        ? block(
              "    data=[",
              pairsOf(text),
              ([name, value]) => `        (${quoted(name)}, ${quoted(value)}),`,
              "    ],",
          )
        : [`    data=${quoted(lineOf(body))}.encode(),`];
}

function pythonPart({ name, text = "", file, type }: RequestPart): string {
    const content = file === undefined ? `None, ${quoted(text)}` : `${quoted(file)}, open(${quoted(file)}, "rb")`;
    return `        (${quoted(name)}, (${content}${type === undefined ? "" : `, ${quoted(type)}`})),`;
}
