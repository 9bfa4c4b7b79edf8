import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { readSecret, type WireSecret, writeSecretList } from "./kubernetes-protobuf.js";

/** A body in protobuf, or an object to be written as JSON. */
type Answer = [status: number, body: Buffer | object];

const secretsPath = "/api/v1/namespaces/default/secrets";

/**
 * The part of a Kubernetes API that Helm needs to install a chart that renders nothing: discovery, and the Secrets in
 * which Helm stores its releases. tests/e2e/kubernetes tests a cluster's behaviour; here, the real engine, the real
 * provider and their Helm only need to complete a `pulumi up`.
 */
export class KubernetesApi {
    readonly #secrets = new Map<string, WireSecret>();
    readonly #server: Server;

    private constructor() {
        this.#server = createServer((request, response) => {
            void bodyOf(request).then((sent) => {
                const url = new URL(request.url!, "http://localhost");
                const [status, body] = this.#answer(request.method!, url, sent);
                const [type, text] = Buffer.isBuffer(body)
                    ? ["vnd.kubernetes.protobuf", body]
                    : ["json", JSON.stringify(body)];
                response.writeHead(status, { "content-type": `application/${type}` }).end(text);
            });
        });
    }

    static async start(): Promise<KubernetesApi> {
        const api = new KubernetesApi();
        await new Promise<void>((resolve) => api.#server.listen(0, "127.0.0.1", resolve));
        return api;
    }

    async writeKubeconfig(file: string): Promise<void> {
        const { port } = this.#server.address() as AddressInfo;
        const kubeconfig = {
            apiVersion: "v1",
            kind: "Config",
            clusters: [{ name: "policy", cluster: { server: `http://127.0.0.1:${port}` } }],
            users: [{ name: "policy", user: {} }],
            contexts: [{ name: "policy", context: { cluster: "policy", user: "policy" } }],
            "current-context": "policy",
        };
        await writeFile(file, JSON.stringify(kubeconfig));
    }

    async stop(): Promise<void> {
        this.#server.closeAllConnections();
        await new Promise((resolve) => this.#server.close(resolve));
    }

    #answer(method: string, { pathname, searchParams }: URL, sent: Buffer): Answer {
        if (pathname === secretsPath && method === "GET") {
            return [200, writeSecretList(this.#select(searchParams.get("labelSelector") ?? ""))];
        }
        if (pathname.startsWith(secretsPath)) {
            return this.#secret(method, pathname.slice(secretsPath.length + 1), sent);
        }
        const known = discovery[pathname];
        return known ? [200, known] : notFound;
    }

    #select(labelSelector: string): WireSecret[] {
        const wanted = labelSelector.split(",").filter(Boolean);
        return [...this.#secrets.values()].filter(({ labels }) =>
            wanted.every((each) => each.split("=")[1] === labels.get(each.split("=")[0]!)),
        );
    }

    #secret(method: string, name: string, sent: Buffer): Answer {
        if (method === "POST" || method === "PUT") {
            const secret = readSecret(sent);
            this.#secrets.set(secret.name, secret);
            return [method === "POST" ? 201 : 200, secret.message];
        }
        const secret = this.#secrets.get(name);
        if (method === "DELETE") {
            this.#secrets.delete(name);
        }
        return secret ? [200, secret.message] : notFound;
    }
}

const notFound: Answer = [404, { kind: "Status", apiVersion: "v1", status: "Failure", code: 404, reason: "NotFound" }];

const discovery: Record<string, Buffer | object> = {
    "/version": { major: "1", minor: "34", gitVersion: "v1.34.2" },
    "/api": { kind: "APIVersions", versions: ["v1"] },
    "/apis": { kind: "APIGroupList", apiVersion: "v1", groups: [] },
    "/api/v1": {
        kind: "APIResourceList",
        groupVersion: "v1",
        resources: [
            { name: "secrets", singularName: "secret", namespaced: true, kind: "Secret", verbs: ["get", "list"] },
        ],
    },
    // An empty document, in protobuf.
    "/openapi/v2": Buffer.alloc(0),
};

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
        chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks);
}
