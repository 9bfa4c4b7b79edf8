import { joinLines } from "@pulumi-static-export/contract";
import { type ApiRequest, type Header, isJson, piecesOf, type RequestBody, type RequestPart } from "./request.js";

export interface CodeSample {
    readonly label: string;
    readonly language: string;
    readonly code: string;
}

type Lines = readonly (string | false | undefined)[];

/** A request as languages write it that send a body as texts and files, which follow each other. */
interface WrittenRequest extends Pick<ApiRequest, "method" | "url" | "headers"> {
    /** The expressions for the pieces of the body; empty without a body. */
    readonly pieces: readonly string[];
    /** The name of the first file in the body. */
    readonly file: string | undefined;
}

/** How a language writes a text and the bytes of a file as expressions. */
interface Notation {
    readonly text: (text: string) => string;
    readonly file: (file: string) => string;
}

const publishers = "HttpRequest.BodyPublishers";

const notations = {
    javascript: { text: quoted, file: (file) => `await openAsBlob(${quoted(file)})` },
    go: { text: quoted, file: () => "string(file)" },
    php: { text: phpText, file: (file) => `file_get_contents(${single(file)})` },
    ruby: { text: rubyText, file: (file) => `File.binread(${single(file)})` },
    java: {
        text: (text) => `${publishers}.ofString(${quoted(text)})`,
        file: (file) => `${publishers}.ofFile(Path.of(${quoted(file)}))`,
    },
    csharp: {
        text: (text) => `Encoding.UTF8.GetBytes(${quoted(text)})`,
        file: (file) => `File.ReadAllBytes(${quoted(file)})`,
    },
} satisfies Readonly<Record<string, Notation>>;

/** The code that sends a request, by language. */
export const writers = {
    curl: writer("cURL", "bash", ({ method, url, headers, body }) => [
        [
            `curl ${method === "HEAD" ? "--head" : `--request ${method}`} --url '${shell(url)}'`,
            ...headers.map((header) => `--header '${shell(header.join(": "))}'`),
            // cURL accepts no body with --head.
            ...(body === undefined || method === "HEAD" ? [] : curlBody(body)),
        ].join(" \\\n  "),
    ]),
    javascript: (request) =>
        // `FormData` has no headers for its parts.
        request.body?.parts?.some(({ headers }) => headers !== undefined) === true
            ? javascriptOfPieces(request)
            : javascriptOfForm(request),
    python: writer("Python", "python", ({ method, url, headers, body }) => [
        "import requests\n",
        "response = requests.request(",
        `    "${method}",`,
        `    ${quoted(url)},`,
        ...block("    headers={", headers, ([name, value]) => `        ${quoted(name)}: ${quoted(value)},`, "    },"),
        ...(body === undefined ? [] : pythonBody(body)),
        ")",
        "print(response.status_code, response.text)",
    ]),
    go: inPieces("Go", "go", notations.go, ({ method, url, headers, pieces, file }) => [
        file !== undefined && `file, err := os.ReadFile(${quoted(file)})${goCheck}`,
        `request, err := http.NewRequest("${method}", ${quoted(url)}, ${pieces.length === 0 ? "nil" : `strings.NewReader(${pieces.join("+")})`})${goCheck}`,
        ...headers.map(([name, value]) => `request.Header.Set(${quoted(name)}, ${quoted(value)})`),
        `response, err := http.DefaultClient.Do(request)${goCheck}`,
        "fmt.Println(response.Status)",
    ]),
    php: inPieces("PHP", "php", notations.php, ({ method, url, headers, pieces }) => [
        `$curl = curl_init(${single(url)});`,
        "curl_setopt_array($curl, [",
        `    ${method === "HEAD" ? "CURLOPT_NOBODY => true" : `CURLOPT_CUSTOMREQUEST => ${single(method)}`},`,
        "    CURLOPT_RETURNTRANSFER => true,",
        ...block("    CURLOPT_HTTPHEADER => [", headers, (each) => `        ${single(each.join(": "))},`, "    ],"),
        pieces.length > 0 && `    CURLOPT_POSTFIELDS => ${pieces.join(" . ")},`,
        "]);",
        "echo curl_exec($curl);",
    ]),
    ruby: inPieces("Ruby", "ruby", notations.ruby, ({ method, url, headers, pieces }) => [
        'require "net/http"\n',
        `uri = URI(${single(url)})`,
        rubyMethods.has(method)
            ? `request = Net::HTTP::${method.charAt(0)}${method.slice(1).toLowerCase()}.new(uri)`
            : `request = Net::HTTPGenericRequest.new(${single(method)}, true, true, uri)`,
        ...headers.map(([name, value]) => `request[${single(name)}] = ${single(value)}`),
        pieces.length > 0 && `request.body = ${pieces.join(" + ")}`,
        'response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }',
        "puts response.code, response.body",
    ]),
    java: inPieces("Java", "java", notations.java, ({ method, url, headers, pieces }) => [
        "HttpRequest request = HttpRequest.newBuilder()",
        `    .uri(URI.create(${quoted(url)}))`,
        ...headers.map(([name, value]) => `    .header(${quoted(name)}, ${quoted(value)})`),
        `    .method("${method}", ${pieces.length > 1 ? `${publishers}.concat(${pieces.join(", ")})` : (pieces[0] ?? `${publishers}.noBody()`)})`,
        "    .build();",
        "HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());",
        'System.out.println(response.statusCode() + " " + response.body());',
    ]),
    csharp: inPieces("C#", "csharp", notations.csharp, ({ method, url, headers, pieces }) => [
        "using var client = new HttpClient();",
        `using var request = new HttpRequestMessage(new HttpMethod("${method}"), ${quoted(url)});`,
        pieces.length > 0 && `byte[][] parts = { ${pieces.join(", ")} };`,
        pieces.length > 0 && "request.Content = new ByteArrayContent(parts.SelectMany(part => part).ToArray());",
        ...headers.map(([name, value]) => {
            // .NET accepts the content type only on the body, not on the request.
            const holder = name.toLowerCase() === "content-type" ? "request.Content" : "request";
            return `${holder}.Headers.TryAddWithoutValidation(${quoted(name)}, ${quoted(value)});`;
        }),
        "using var response = await client.SendAsync(request);",
        "Console.WriteLine(await response.Content.ReadAsStringAsync());",
    ]),
} satisfies Readonly<Record<string, (request: ApiRequest) => CodeSample>>;

const goCheck = "\nif err != nil {\n\tlog.Fatal(err)\n}";

/** The methods for which Ruby has a class. */
const rubyMethods = new Set(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE"]);

function writer(label: string, language: string, linesOf: (request: ApiRequest) => Lines) {
    return (request: ApiRequest): CodeSample => {
        const lines = linesOf(request).filter((line) => line !== false && line !== undefined);
        return { label, language, code: lines.join("\n") };
    };
}

function inPieces(
    label: string,
    language: string,
    { text, file }: Notation,
    linesOf: (request: WrittenRequest) => Lines,
): (request: ApiRequest) => CodeSample {
    return writer(label, language, ({ body, headers, ...request }) => {
        const { type, pieces } = body === undefined ? { type: "", pieces: [] } : piecesOf(inOneLine(body));
        const files = pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.file]));
        return linesOf({
            ...request,
            headers: body?.parts === undefined ? headers : [...headers, ["Content-Type", type]],
            pieces: pieces.map((piece) => (typeof piece === "string" ? text(piece) : file(piece.file))),
            file: files[0],
        });
    });
}

function quoted(text: string): string {
    return JSON.stringify(text);
}

function shell(text: string): string {
    return text.replaceAll("'", "'\\''");
}

/** A PHP or Ruby string literal without interpolation. */
function single(text: string): string {
    return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

function phpText(text: string): string {
    return text.split("\r\n").map(single).join(` . "\\r\\n" . `);
}

/** Ruby joins text with the bytes of a file only if text beyond ASCII is bytes, too. */
function rubyText(text: string): string {
    const lines = text.split("\r\n").map((line) => single(line) + (/^[ -~\s]*$/.test(line) ? "" : ".b"));
    return lines.join(` + "\\r\\n" + `);
}

/** Empty without items. */
function block<T>(begin: string, items: readonly T[], write: (item: T) => string, end: string): string[] {
    return items.length === 0 ? [] : [begin, ...items.map(write), end];
}

/** Writes JSON on one line; other text stays as it is. */
function inOneLine(body: RequestBody): RequestBody {
    return body.text !== undefined && isJson(body.type) ? { ...body, text: joinLines(body.text) } : body;
}

/** The decoded fields of a form; undefined for other bodies. */
function pairsOf({ type, text = "" }: RequestBody): Header[] | undefined {
    return /urlencoded/i.test(type) ? [...new URLSearchParams(text)] : undefined;
}

function curlBody(body: RequestBody): string[] {
    const { text = "", file, parts } = body;
    if (parts !== undefined) {
        return parts.map(curlPart);
    }
    if (file !== undefined) {
        return [`--data-binary '@${shell(file)}'`];
    }
    return (
        pairsOf(body)?.map(([name, value]) => `--data-urlencode '${encodeURIComponent(name)}=${shell(value)}'`) ??
            // curl reads the file whose name follows `@`.
            [`--data${text.startsWith("@") ? "-raw" : ""} '${shell(text)}'`]
    );
}

function curlPart({ name, text = "", file, type, headers = [] }: RequestPart): string {
    const words = (given: string) => `"${given.replace(/["\\]/g, "\\$&")}"`;
    const ofHeaders = headers.map((header) => `;headers=${words(header.join(": "))}`).join("");
    const about = (type === undefined ? "" : `;type=${type}`) + ofHeaders;
    if (file !== undefined) {
        return `--form '${shell(`${name}=@${file}${about}`)}'`;
    }
    // curl interprets the beginning of a value, and a semicolon, unless the value has quotes.
    const isPlain = !/^[@<"(]|;/.test(text);
    const value = isPlain || about === "" ? text : words(text);
    return `${isPlain || about !== "" ? "--form" : "--form-string"} '${shell(`${name}=${value}${about}`)}'`;
}

const javascriptOfForm = writer("JavaScript", "javascript", (request) => {
    const form = block("const form = new FormData();", request.body?.parts ?? [], javascriptPart, "");
    return javascriptCode(request, request.body && javascriptBody(request.body), form);
});

const javascriptOfPieces = inPieces("JavaScript", "javascript", notations.javascript, ({ pieces, ...request }) =>
    javascriptCode(request, `new Blob([${pieces.join(", ")}])`, []),
);

function javascriptCode(
    { method, url, headers }: Pick<ApiRequest, "method" | "url" | "headers">,
    body: string | undefined,
    before: readonly string[],
): Lines {
    // `fetch` refuses the body of these methods.
    const isSent = body !== undefined && method !== "GET" && method !== "HEAD";
    return [
        isSent && [...before, body].join("").includes("openAsBlob(") && 'import { openAsBlob } from "node:fs";\n',
        ...(isSent ? before : []),
        `const response = await fetch(${quoted(url)}, {`,
        `  method: "${method}",`,
        ...block("  headers: {", headers, ([name, value]) => `    ${quoted(name)}: ${quoted(value)},`, "  },"),
        isSent && `  body: ${body},`,
        "});",
        "console.log(response.status, await response.text());",
    ];
}

function javascriptBody(body: RequestBody): string {
    const { type, text = "", file, parts } = body;
    if (parts !== undefined) {
        return "form";
    }
    if (file !== undefined) {
        return notations.javascript.file(file);
    }
    const pairs = pairsOf(body);
    if (pairs !== undefined) {
        return `new URLSearchParams(${JSON.stringify(pairs)})`;
    }
    // JavaScript would round long integers.
    return isJson(type) && !/\d{16}/.test(text)
        ? `JSON.stringify(${text.replaceAll("\n", "\n  ")})`
        : quoted(inOneLine(body).text ?? "");
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

function pythonBody(body: RequestBody): string[] {
    if (body.parts !== undefined) {
        return block("    files=[", body.parts, pythonPart, "    ],");
    }
    if (body.file !== undefined) {
        return [`    data=open(${quoted(body.file)}, "rb"),`];
    }
    const pairs = pairsOf(body)?.map(([name, value]) => `(${quoted(name)}, ${quoted(value)})`);
    return pairs === undefined
        ? [`    data=${quoted(inOneLine(body).text ?? "")}.encode(),`]
        : block("    data=[", pairs, (pair) => `        ${pair},`, "    ],");
}

function pythonPart({ name, text = "", file, type, headers = [] }: RequestPart): string {
    const content = file === undefined ? `None, ${quoted(text)}` : `${quoted(file)}, open(${quoted(file)}, "rb")`;
    const pairs = headers.map((header) => header.map(quoted).join(": "));
    const ofHeaders = pairs.length === 0 ? "" : `, {${pairs.join(", ")}}`;
    const ofType = type === undefined && ofHeaders === "" ? "" : `, ${type === undefined ? "None" : quoted(type)}`;
    return `        (${quoted(name)}, (${content}${ofType}${ofHeaders})),`;
}
