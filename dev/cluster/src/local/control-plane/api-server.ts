import { request } from "node:https";
import { hostInUrl } from "@pulumi-static-export/toolchain";
import { type NetworkPlan } from "../network/network-plan.js";
import { apiServerPort } from "./components.js";

export interface ApiServer {
    readonly origin: string;
    /** The certificate authority, in PEM. */
    readonly authority: string;
    readonly token: string;
}

const timeoutMs = 5000;

/** Returns where the API server of a local cluster answers. */
export function apiServerOrigin({ nodeAddress }: NetworkPlan): string {
    return `https://${hostInUrl(nodeAddress)}:${apiServerPort}`;
}

/** Sends a GET to the API server and returns the body of a 200 response. Rejects if the response has another status. */
export function readApi({ origin, authority, token }: ApiServer, path: string): Promise<string> {
    return new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}` };
        const call = request(new URL(path, origin), { ca: authority, headers, timeout: timeoutMs }, (response) => {
            const chunks: Buffer[] = [];
            response.on("data", (chunk: Buffer) => chunks.push(chunk));
            response.once("error", reject);
            response.once("end", () => {
                if (response.statusCode === 200) {
                    resolve(Buffer.concat(chunks).toString("utf8"));
                } else {
                    reject(new Error(`GET ${origin}${path} answered with status ${response.statusCode}`));
                }
            });
        });
        call.once("timeout", () =>
            call.destroy(new Error(`GET ${origin}${path} had no answer within ${timeoutMs} ms`)),
        );
        call.once("error", reject);
        call.end();
    });
}

interface Node {
    readonly status?: {
        readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
    };
}

/** Returns the reason why the node is not ready; undefined if the node is ready. */
export async function whyNodeIsNotReady(server: ApiServer, nodeName: string): Promise<string | undefined> {
    const node = JSON.parse(await readApi(server, `/api/v1/nodes/${nodeName}`)) as Node;
    const ready = node.status?.conditions?.find(({ type }) => type === "Ready");
    return ready?.status === "True" ? undefined : (ready?.message ?? "it has not reported its status yet");
}
