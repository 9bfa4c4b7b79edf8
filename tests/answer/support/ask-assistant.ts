import { type AssistantSettings, createAnswerServer, type ExportedSite } from "../../../answer/src/index.js";
import { type Files } from "../../exporter/support/site-fixture.js";
import { siteWithReaders, withAnsweredSite } from "./answered-site.js";
import { ScriptedEndpoint, type Step } from "./scripted-endpoint.js";

interface Chunk {
    readonly type: string;
    readonly delta?: string;
    readonly url?: string;
    readonly title?: string;
    readonly errorText?: string;
    readonly toolName?: string;
}

export interface Asked {
    readonly status: number;
    readonly headers: Headers;
    readonly chunks: readonly Chunk[];
    /** The text that readers see. */
    readonly text: string;
    /** The whole response. */
    readonly raw: string;
}

export interface Asking {
    readonly ask: (question: string, changes?: object, headers?: Record<string, string>) => Promise<Asked>;
    readonly address: string;
    readonly endpoint: ScriptedEndpoint;
    /** The exported site. */
    readonly outDir: string;
    /** The lines that the server logged. */
    readonly log: string[];
    /** The questions that were stored. */
    readonly questions: [string, boolean][];
}

export const asReader = (groups: string) => ({ "x-user": "ann", "x-groups": groups });

/** Starts a server with an assistant whose model follows a script. */
export async function withAssistant(
    steps: readonly Step[],
    use: (asking: Asking) => Promise<void>,
    { proxies, ...settings }: Partial<AssistantSettings> & { proxies?: number } = {},
    files: Files = siteWithReaders,
): Promise<void> {
    const endpoint = await ScriptedEndpoint.start(steps);
    const serve = async (site: ExportedSite, outDir: string) => {
        const [log, questions]: [string[], [string, boolean][]] = [[], []];
        const server = createAnswerServer({
            ...{ site, proxies, version: "1.2.3", onError: (message) => void log.push(message) },
            readerHeaders: { user: "X-User", groups: "X-Groups", separator: "," },
            assistant: {
                endpoint: { address: endpoint.address, model: "walrus-1", apiKey: "sk-s3cr3t" },
                support: "help@example.com",
                onQuestion: (...question) => void questions.push(question),
                ...settings,
            },
        });
        try {
            const address = await server.listen({ port: 0, host: "127.0.0.1" });
            const ask: Asking["ask"] = async (question, changes = {}, headers = {}) => {
                const messages = [{ role: "user", parts: [{ type: "text", text: question }] }];
                const response = await fetch(`${address}/v2/assistant/docs.example.com/message`, {
                    method: "POST",
                    headers: { "content-type": "application/json", ...headers },
                    body: JSON.stringify({ messages, ...changes }),
                });
                return readStream(response);
            };
            await use({ ask, address, endpoint, outDir, log, questions });
        } finally {
            await server.close();
        }
    };
    try {
        await withAnsweredSite(files, serve, { privatePages: "keep-apart" });
    } finally {
        endpoint.stop();
    }
}

async function readStream(response: Response): Promise<Asked> {
    const raw = await response.text();
    const events = raw.split("\n\n").flatMap((event) => (event.startsWith("data: {") ? [event.slice(6)] : []));
    const chunks = events.map((event) => JSON.parse(event) as Chunk);
    const text = chunks.map(({ type, delta }) => (type === "text-delta" ? delta : "")).join("");
    return { status: response.status, headers: response.headers, chunks, text, raw };
}
