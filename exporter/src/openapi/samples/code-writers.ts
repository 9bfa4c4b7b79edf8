/** What code of an example sends. */
export interface ApiRequest {
    readonly method: string;
    readonly url: string;
    readonly headers: readonly (readonly [string, string])[];
    /** As JSON; undefined for a request without a body. */
    readonly body: string | undefined;
    readonly bodyType: string | undefined;
}

export interface CodeSample {
    readonly label: string;
    readonly language: string;
    readonly code: string;
}

export function curl({ method, url, headers, body }: ApiRequest): CodeSample {
    const lines = [`curl --request ${method} --url '${shell(url)}'`];
    lines.push(...headers.map(([name, value]) => `--header '${shell(`${name}: ${value}`)}'`));
    if (body !== undefined) {
        lines.push(`--data '${shell(body)}'`);
    }
    return { label: "cURL", language: "bash", code: lines.join(" \\\n  ") };
}

export function javascript({ method, url, headers, body }: ApiRequest): CodeSample {
    const head = headers.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`).join("");
    const lines = [
        `const response = await fetch(${JSON.stringify(url)}, {\n  method: "${method}",\n`,
        head === "" ? "" : `  headers: {\n${head}  },\n`,
        body === undefined ? "" : `  body: JSON.stringify(${body.replaceAll("\n", "\n  ")}),\n`,
        "});\nconsole.log(response.status, await response.text());",
    ];
    return { label: "JavaScript", language: "javascript", code: lines.join("") };
}

export function python({ method, url, headers, body }: ApiRequest): CodeSample {
    const head = headers.map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`).join("");
    const lines = [
        `import requests\n\nresponse = requests.request(\n    "${method}",\n    ${JSON.stringify(url)},\n`,
        head === "" ? "" : `    headers={\n${head.replace(/^/gm, "    ").trimEnd()}\n    },\n`,
        body === undefined ? "" : `    data=${JSON.stringify(onOneLine(body))},\n`,
        ")\nprint(response.status_code, response.text)",
    ];
    return { label: "Python", language: "python", code: lines.join("") };
}

export function go({ method, url, headers, body }: ApiRequest): CodeSample {
    const payload = body === undefined ? "nil" : `strings.NewReader(${JSON.stringify(onOneLine(body))})`;
    const lines = [
        `request, err := http.NewRequest("${method}", ${JSON.stringify(url)}, ${payload})`,
        "if err != nil {\n\tlog.Fatal(err)\n}",
        ...headers.map(([name, value]) => `request.Header.Set(${JSON.stringify(name)}, ${JSON.stringify(value)})`),
        "response, err := http.DefaultClient.Do(request)",
    ];
    return { label: "Go", language: "go", code: lines.join("\n") };
}

export function php({ method, url, headers, body }: ApiRequest): CodeSample {
    const lines = [
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
    ];
    return { label: "PHP", language: "php", code: lines.join("\n") };
}

export function ruby({ method, url, headers, body }: ApiRequest): CodeSample {
    const lines = [
        'require "net/http"',
        "",
        `uri = URI(${single(url)})`,
        `request = Net::HTTP::${method.charAt(0)}${method.slice(1).toLowerCase()}.new(uri)`,
        ...headers.map(([name, value]) => `request[${single(name)}] = ${single(value)}`),
        ...(body === undefined ? [] : [`request.body = ${single(onOneLine(body))}`]),
        'response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }',
        "puts response.code, response.body",
    ];
    return { label: "Ruby", language: "ruby", code: lines.join("\n") };
}

export function java({ method, url, headers, body }: ApiRequest): CodeSample {
    const content = body === undefined ? "noBody()" : `ofString(${JSON.stringify(onOneLine(body))})`;
    const lines = [
        "HttpRequest request = HttpRequest.newBuilder()",
        `    .uri(URI.create(${JSON.stringify(url)}))`,
        ...headers.map(([name, value]) => `    .header(${JSON.stringify(name)}, ${JSON.stringify(value)})`),
        `    .method("${method}", HttpRequest.BodyPublishers.${content})`,
        "    .build();",
        "HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());",
        'System.out.println(response.statusCode() + " " + response.body());',
    ];
    return { label: "Java", language: "java", code: lines.join("\n") };
}

export function csharp({ method, url, headers, body, bodyType }: ApiRequest): CodeSample {
    // Of the body, not of the request: .NET refuses it there.
    const others = headers.filter(([name]) => name.toLowerCase() !== "content-type");
    const content = `new StringContent(${JSON.stringify(onOneLine(body ?? ""))}, Encoding.UTF8, ${JSON.stringify(bodyType ?? "")})`;
    const lines = [
        "using var client = new HttpClient();",
        `using var request = new HttpRequestMessage(new HttpMethod("${method}"), ${JSON.stringify(url)});`,
        ...others.map(
            ([name, value]) =>
                `request.Headers.TryAddWithoutValidation(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
        ),
        ...(body === undefined ? [] : [`request.Content = ${content};`]),
        "using var response = await client.SendAsync(request);",
        "Console.WriteLine(await response.Content.ReadAsStringAsync());",
    ];
    return { label: "C#", language: "csharp", code: lines.join("\n") };
}

function shell(text: string): string {
    return text.replaceAll("'", "'\\''");
}

/** Nothing where there are no items. */
function block<T>(begin: string, items: readonly T[], write: (item: T) => string, end: string): string[] {
    return items.length === 0 ? [] : [begin, ...items.map(write), end];
}

/** A string of PHP or Ruby in which nothing is replaced. */
function single(text: string): string {
    return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

function onOneLine(json: string): string {
    return json.replace(/\s*\n\s*/g, " ");
}
