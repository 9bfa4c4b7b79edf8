import { maxHeaderSize, STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import { type Socket } from "node:net";

const answers: Readonly<Record<string, readonly [status: number, message: string]>> = {
    HPE_HEADER_OVERFLOW: [431, `The request's headers are larger than ${maxHeaderSize} bytes.`],
    ERR_HTTP_REQUEST_TIMEOUT: [408, "The request did not arrive whole in time: send it again."],
};
const lingerMs = 1000;

const unreadable = [400, "This is not an HTTP request that the service understands."] as const;

/** Responds to incomplete or invalid HTTP requests, for which there is no route and no reply object. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
    if (error.code === "ECONNRESET" || !socket.writable) {
        socket.destroy();
        return;
    }
    const [status, message] = answers[error.code ?? ""] ?? unreadable;
    const body = JSON.stringify({ error: message });
    // A client that does not read the response, or never closes, must not keep the socket.
    const freed = setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.once("close", () => clearTimeout(freed));
    socket.end(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n` +
            "Content-Type: application/json; charset=utf-8\r\n" +
            `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
}

/** For an `Expect` header other than `100-continue`: Node.js itself would respond without a body. */
export function answerUnknownExpectation(_request: IncomingMessage, response: ServerResponse): void {
    const body = JSON.stringify({ error: "The service knows no Expect header but 100-continue." });
    response
        .writeHead(417, {
            "content-type": "application/json; charset=utf-8",
            "content-length": Buffer.byteLength(body),
        })
        .end(body);
}
