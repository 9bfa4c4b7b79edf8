import { isJSONRPCRequest, isJSONRPCResponse } from "@modelcontextprotocol/server";
import { serveStdio, type StdioServerHandle, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { isRecord } from "@pulumi-static-export/contract";
import { Readable } from "node:stream";
import { lenientMessage } from "./lenient-messages.js";
import { createMcpServer, type McpServerSettings } from "./mcp-server.js";

interface StdioServer extends StdioServerHandle {
    /** Resolves when the agent has closed its end and all of its requests are answered, or after `close`. */
    readonly closed: Promise<void>;
}

/** Serves one agent that started this process. @param onError called with errors, which do not change answers */
export function serveMcpOverStdio(settings: McpServerSettings, onError: (message: string) => void): StdioServer {
    const requests = new OpenRequests();
    const transport = new AnsweringTransport(process.stdin.setEncoding("utf8"), requests);
    const server = serveStdio(() => createMcpServer(settings), {
        transport,
        onerror: ({ message }) => onError(message),
    });
    return { close: () => server.close(), closed: transport.closed };
}

/** Requests that are not answered yet. */
class OpenRequests {
    readonly #ids: unknown[] = [];
    #onAnswered: () => void = () => undefined;

    received(message: unknown): void {
        if (!isRecord(message)) {
            return;
        }
        const { id, method, params } = message;
        // A subscription lasts as long as its connection.
        if (isJSONRPCRequest(message) && method !== "subscriptions/listen") {
            this.#ids.push(id);
        } else if (method === "notifications/cancelled" && isRecord(params)) {
            this.answered(params.requestId);
        }
    }

    answered(id: unknown): void {
        const at = this.#ids.indexOf(id);
        if (at >= 0) {
            this.#ids.splice(at, 1);
            this.#onAnswered();
        }
    }

    async allAnswered(): Promise<void> {
        while (this.#ids.length > 0) {
            await new Promise<void>((resolve) => (this.#onAnswered = resolve));
        }
    }
}

/** Closes after the last answer: the library's transport closes at the end of the input, without the open answers. */
class AnsweringTransport extends StdioServerTransport {
    readonly #closed = Promise.withResolvers<void>();
    readonly #requests: OpenRequests;
    readonly closed = this.#closed.promise;

    constructor(
        private readonly input: Readable,
        requests: OpenRequests,
    ) {
        // The library reports errors until this transport is closed.
        super(
            Readable.from(readMessages(input, requests)).on("error", () => undefined),
            process.stdout,
        );
        this.#requests = requests;
    }

    override async send(message: Parameters<StdioServerTransport["send"]>[0]): Promise<void> {
        await super.send(message);
        if (isJSONRPCResponse(message)) {
            this.#requests.answered(message.id);
        }
    }

    override async close(): Promise<void> {
        await super.close();
        // An open input would keep the process running.
        this.input.destroy();
        this.#closed.resolve();
    }
}

/**
 * Rewrites lines of JSON for the protocol's library: makes them lenient, and splits batches, which earlier
 * revisions of the protocol allow, into messages. Ends when all requests are answered.
 */
export async function* readMessages(
    input: AsyncIterable<string>,
    requests = new OpenRequests(),
): AsyncGenerator<Buffer> {
    let rest = "";
    for await (const chunk of input) {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop() ?? "";
        yield Buffer.from(lines.map((line) => `${rewritten(line, requests)}\n`).join(""));
    }
    if (rest !== "") {
        yield Buffer.from(`${rewritten(rest, requests)}\n`);
    }
    await requests.allAnswered();
}

function rewritten(line: string, requests: OpenRequests): string {
    try {
        const parsed = lenientMessage(JSON.parse(line));
        const messages = Array.isArray(parsed) ? parsed : [parsed];
        messages.forEach((message) => requests.received(message));
        return messages.map((message) => JSON.stringify(message)).join("\n");
    } catch {
        // The library reports invalid JSON.
        return line;
    }
}
