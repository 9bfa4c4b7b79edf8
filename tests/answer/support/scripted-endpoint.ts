import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** One reply of the model. */
export type Step =
    /** The text of the reply, in one or several chunks. */
    | {
          readonly says: string | readonly string[];
          readonly breaksOff?: boolean;
          readonly hangs?: boolean;
          /** @default "stop" */
          readonly finish?: string;
          /** Reasoning that the endpoint separates from the text. */
          readonly reasons?: string;
      }
    /** @property asObject sends the input as an object, as some endpoints do, and not as JSON in a text */
    | { readonly calls: string; readonly with: object; readonly asObject?: boolean }
    /** Several calls of tools at the same time. */
    | { readonly callsAll: readonly (readonly [tool: string, input: object])[] }
    | { readonly status: number };

interface AskedModel {
    readonly headers: IncomingHttpHeaders;
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
    readonly tool_choice?: string;
}

/** An endpoint with OpenAI's interface whose model follows a script. */
export class ScriptedEndpoint {
    readonly asked: AskedModel[] = [];
    /** Called before each reply. */
    onAsked: () => Promise<void> = () => Promise.resolve();
    /** Settles when a client disconnects before the answer is complete. */
    readonly cancelled: Promise<void>;
    #cancel!: () => void;
    readonly #server = createServer((request, response) => {
        response.on("close", () => response.writableEnded || this.#cancel());
        void json(request).then(async (body) => {
            this.asked.push({ ...(body as AskedModel), headers: request.headers });
            await this.onAsked();
            play(this.steps.length > 1 ? this.steps.shift()! : this.steps[0]!, response);
        });
    });

    /** @param steps - the replies; the last reply is repeated */
    private constructor(private readonly steps: Step[]) {
        this.cancelled = new Promise((resolve) => (this.#cancel = resolve));
    }

    static async start(steps: readonly Step[], host = "127.0.0.1"): Promise<ScriptedEndpoint> {
        const endpoint = new ScriptedEndpoint([...steps]);
        endpoint.#server.listen(0, host);
        await once(endpoint.#server, "listening");
        return endpoint;
    }

    get address(): string {
        const { address, port } = this.#server.address() as AddressInfo;
        return `http://${address}:${port}/v1`;
    }

    /** Returns all results that the model received from tools. */
    get toolTexts(): string {
        const messages = this.asked.at(-1)?.messages ?? [];
        return JSON.stringify(messages.filter(({ role }) => role === "tool"));
    }

    stop(): void {
        this.#server.closeAllConnections();
        this.#server.close();
    }
}

function play(step: Step, response: ServerResponse): void {
    if ("status" in step) {
        response.writeHead(step.status, { "content-type": "application/json" });
        response.end('{"error":{"message":"the key sk-s3cr3t is wrong"}}');
        return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (delta: object, finish: string | null = null) => {
        const choices = [{ index: 0, delta, finish_reason: finish }];
        response.write(
            `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, choices })}\n\n`,
        );
    };
    if ("calls" in step || "callsAll" in step) {
        const all = "calls" in step ? [[step.calls, step.with] as const] : step.callsAll;
        const calls = all.map(([name, input], index) => {
            const isObject = "calls" in step && step.asObject === true;
            const call = { name, arguments: isObject ? input : JSON.stringify(input) };
            return { index, id: `call-${Math.random()}`, type: "function", function: call };
        });
        send({ role: "assistant", tool_calls: calls });
        send({}, "tool_calls");
    } else {
        if (step.reasons !== undefined) {
            send({ role: "assistant", reasoning_content: step.reasons });
        }
        for (const content of [step.says].flat()) {
            send({ role: "assistant", content });
        }
        if (step.breaksOff) {
            setImmediate(() => response.destroy());
            return;
        }
        if (step.hangs) {
            return;
        }
        send({}, step.finish ?? "stop");
    }
    const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
    response.end(`data: ${JSON.stringify({ id: "c", created: 1, choices: [], usage })}\n\ndata: [DONE]\n\n`);
}
