import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type AnswerServerSettings, createAnswerServer, type ExportedSite } from "../../../answer/src/index.js";
import { siteWithReaders, withAnsweredSite } from "./answered-site.js";

const readerHeaders = { user: "X-User", groups: "X-Groups", separator: "," };
/** The headers of a reader in group a. */
export const asA = { "x-user": "ann", "x-groups": "a,staff" };

interface Answering {
    readonly address: string;
    readonly errors: string[];
    /** @returns the status and the body */
    readonly post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<[number, unknown]>;
    /** Connects an official client that speaks the newest or an earlier protocol revision. */
    readonly connect: (
        path: string,
        era: "auto" | "legacy",
        headers?: Record<string, string>,
    ) => Promise<{ call: (tool: string, args: object) => Promise<string>; client: Client }>;
}

/** Serves a site with pages for certain readers. */
export async function withServer(
    use: (answering: Answering) => Promise<void>,
    settings: Partial<AnswerServerSettings> = {},
): Promise<void> {
    await withAnsweredSite(siteWithReaders, (site) => serveSite(site, settings, use), { privatePages: "keep-apart" });
}

export async function serveSite(
    site: ExportedSite,
    settings: Partial<AnswerServerSettings>,
    use: (answering: Answering) => Promise<void>,
): Promise<void> {
    const errors: string[] = [];
    const onError = (message: string) => void errors.push(message);
    const server = createAnswerServer({ site, version: "1.2.3", readerHeaders, onError, ...settings });
    const clients: Client[] = [];
    try {
        const address = await server.listen({ port: 0, host: "127.0.0.1" });
        await use({
            address,
            errors,
            post: async (path, body, headers = {}) => {
                const response = await fetch(address + path, {
                    method: "POST",
                    headers: { "content-type": "application/json", ...headers },
                    body: typeof body === "string" ? body : JSON.stringify(body),
                });
                return [response.status, await response.json()];
            },
            connect: async (path, mode, headers = {}) => {
                const client = new Client({ name: "spec", version: "1" }, { versionNegotiation: { mode } });
                clients.push(client);
                const options = { requestInit: { headers } };
                await client.connect(new StreamableHTTPClientTransport(new URL(path, address), options));
                return { client, call: (tool, args) => callTool(client, tool, args) };
            },
        });
    } finally {
        await Promise.all(clients.map((client) => client.close()));
        await server.close();
    }
}

async function callTool(client: Client, name: string, args: object): Promise<string> {
    const { content } = await client.callTool({ name, arguments: { ...args } });
    const [first] = content as { text: string }[];
    return first?.text ?? "";
}
