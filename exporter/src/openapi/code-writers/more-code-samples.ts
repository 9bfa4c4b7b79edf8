import { type ApiRequest, type CodeSample } from "./code-sample.js";

/** Code for those who ask for these languages in `api.examples.languages`. */
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
