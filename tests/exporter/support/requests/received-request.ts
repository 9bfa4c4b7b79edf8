import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo } from "node:net";
import { isDeepStrictEqual } from "node:util";
import { type ApiRequest } from "../../../../exporter/src/api/openapi/request.js";
import { parseJson } from "../../../../exporter/src/text/json-text.js";

/** The content of the file that requests send: bytes that are not text. */
export const sentFile = Buffer.from([0, 1, 255, 13, 10, 34, 39, 254, 0]);

const anyType = "application/octet-stream";

/** What a request says, without what clients may choose: a boundary, the encoding of JSON, further headers. */
interface RequestContent {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: unknown;
}

/** Captures the requests of a run on loopback; the first part of a path is the request's number. */
export async function captureRequests(use: (address: string) => Promise<void>): Promise<Map<string, RequestContent>> {
    const received = new Map<string, RequestContent>();
    const server = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on("data", (chunk: Buffer) => chunks.push(chunk));
        request.on("end", () => {
            const { method = "", url = "", headers } = request;
            const isCheck = method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
            const [, number = "", rest = ""] = /^\/(\d+)(.*)$/.exec(url) ?? [];
            if (!isCheck) {
                const body = contentOf(String(headers["content-type"] ?? ""), Buffer.concat(chunks));
                received.set(number, { method, url: sameUrl(rest), headers: namesOf(headers), body });
            }
            response.setHeader("Access-Control-Allow-Origin", headers.origin ?? "*");
            response.setHeader("Access-Control-Allow-Credentials", "true");
            response.setHeader("Access-Control-Allow-Headers", headers["access-control-request-headers"] ?? "");
            response.setHeader("Access-Control-Allow-Methods", headers["access-control-request-method"] ?? "");
            response.end(isCheck ? "" : "{}");
        });
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    try {
        await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
        return received;
    } finally {
        server.closeAllConnections();
        server.close();
    }
}

/** What must arrive when the request is sent. */
function expectedOf({ method, url, headers, body }: ApiRequest): RequestContent {
    const { pathname, search } = new URL(url);
    const sent = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
    return {
        method,
        url: sameUrl(pathname.replace(/^\/\d+/, "") + search),
        headers: body?.parts === undefined ? sent : { ...sent, "content-type": body.type },
        body:
            body?.parts?.map(({ name, text, file, type, headers = [] }) =>
                file === undefined
                    ? { name, type, headers, content: text }
                    : { name, type: type ?? anyType, headers, content: sentFile.toString("latin1"), file },
            ) ?? contentOf(body?.type ?? "", body?.file === undefined ? Buffer.from(body?.text ?? "") : sentFile),
    };
}

/** Compares what arrived with the requests, and shows the differences. */
export function assertReceived(
    sent: readonly { readonly name: string; readonly request: ApiRequest }[],
    received: ReadonlyMap<string, RequestContent>,
): void {
    assert.notEqual(sent.length, 0);
    const results = sent.map(({ name, request }) => {
        const [, number = ""] = /^\w+:\/\/[^/]+\/(\d+)/.exec(request.url) ?? [];
        const expected = expectedOf(request);
        return { name, expected, arrived: comparable(received.get(number), expected) };
    });
    const wrong = results.filter(({ expected, arrived }) => !isDeepStrictEqual(expected, arrived));
    assert.deepEqual(
        wrong.map(({ name, arrived }) => [name, arrived]),
        wrong.map(({ name, expected }) => [name, expected]),
    );
}

/** The received request, with only the headers that were meant to be sent. */
function comparable(received: RequestContent | undefined, { headers }: RequestContent): unknown {
    const values = Object.keys(headers).map((name) => [name, received?.headers[name]]);
    return received && { ...received, headers: Object.fromEntries(values) as object };
}

function namesOf(headers: IncomingHttpHeaders): Record<string, string> {
    const type = headers["content-type"]?.replace(/; *boundary=.*/, "");
    return { ...(headers as Record<string, string>), ...(type !== undefined && { "content-type": type }) };
}

/** The same address, whether a client encodes characters or not. */
function sameUrl(url: string): string {
    const [path = "", query] = url.split("?", 2);
    return query === undefined
        ? path
        : `${path}?${query.replaceAll("+", "%20").replaceAll("'", "%27").replaceAll("%3A", ":")}`;
}

function contentOf(type: string, bytes: Buffer): unknown {
    const [, boundary] = /boundary="?([^";]+)/.exec(type) ?? [];
    if (boundary !== undefined) {
        return bytes.toString("latin1").split(`--${boundary}`).slice(1, -1).map(partOf);
    }
    if (bytes.length === 0) {
        return undefined;
    }
    const text = bytes.toString(/^(?:image|application\/octet)/.test(type) ? "latin1" : "utf8");
    if (/urlencoded/.test(type)) {
        return [...new URLSearchParams(text)];
    }
    return /[/+]json/.test(type) ? String(JSON.stringify(parseJson(text), bigAsText)) : text;
}

function bigAsText(_: string, value: unknown): unknown {
    return typeof value === "bigint" ? String(value) : value;
}

function partOf(part: string): object {
    const [head = "", content = ""] = part.split(/\r\n\r\n([^]*)\r\n$/, 2);
    const [, file] = /filename="([^"]*)"/.exec(head) ?? [];
    const [, type] = /Content-Type: *([^\r\n]*)/i.exec(head) ?? [];
    const [, name = ""] = /[ ;]name="([^"]*)"/.exec(head) ?? [];
    // Some clients name every part with a type `blob`.
    const isFile = file !== undefined && file !== "blob" && file !== "";
    const headers = [...head.matchAll(/^(X-[^:\r\n]*): *([^\r\n]*)/gm)].map(([, key, value]) => [key, value]);
    return isFile
        ? { name, type: type ?? anyType, headers, content, file }
        : { name, type, headers, content: Buffer.from(content, "latin1").toString("utf8") };
}
