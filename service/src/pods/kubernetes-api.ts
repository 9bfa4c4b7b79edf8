import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";
import { isRecord } from "@pulumi-static-export/contract";
import { ServiceOptionsError } from "../shared/service-options-error.js";

interface KubernetesApiOptions {
    readonly url: string;
    /** The certificate of the cluster's authority. */
    readonly ca?: Buffer;
    readonly namespace: string;
    /** Kubernetes replaces the token of a pod every hour. */
    readonly readToken: () => string;
}

interface Call {
    readonly body?: object;
    readonly signal?: AbortSignal | undefined;
}

/** An answer of the API that is not a success. */
export class KubernetesError extends Error {
    override readonly name = "KubernetesError";

    constructor(
        readonly status: number,
        message: string,
    ) {
        super(message);
    }
}

/** Where Kubernetes mounts the token of a pod's service account. */
const accountFolder = "/var/run/secrets/kubernetes.io/serviceaccount";
const requestMs = 20_000;

/** The few requests to the API of Kubernetes that Jobs need, for one namespace. */
export class KubernetesApi {
    readonly #options: KubernetesApiOptions;

    constructor(options: KubernetesApiOptions) {
        this.#options = options;
    }

    /** The API of the cluster in which this process runs. @throws ServiceOptionsError outside of a pod */
    static ofThisPod(env: NodeJS.ProcessEnv): KubernetesApi {
        const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
        try {
            if (host === undefined || port === undefined) {
                throw new Error("KUBERNETES_SERVICE_HOST is not set");
            }
            const readToken = () => readFileSync(join(accountFolder, "token"), "utf8").trim();
            readToken();
            return new KubernetesApi({
                url: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
                ca: readFileSync(join(accountFolder, "ca.crt")),
                namespace: readFileSync(join(accountFolder, "namespace"), "utf8").trim(),
                readToken,
            });
        } catch (error) {
            throw new ServiceOptionsError(
                "Jobs in pods need a worker in a pod with the token of its service account: " +
                    `${(error as Error).message}.`,
            );
        }
    }

    /**
     * @param path within the namespace, after the API's group: `/apis/batch/v1`, `/jobs/NAME`
     * @throws KubernetesError, or the error of the connection
     */
    async request(method: string, group: string, path: string, call: Call = {}): Promise<Record<string, unknown>> {
        const signal = AbortSignal.any([AbortSignal.timeout(requestMs), ...(call.signal ? [call.signal] : [])]);
        const answer = await this.#send(method, group, path, { ...call, signal });
        const value: unknown = JSON.parse(await textOf(answer));
        return isRecord(value) ? value : {};
    }

    /**
     * The log of a container until it ends, each line after its time.
     * @throws KubernetesError, or the error of the connection
     */
    async followLog(pod: string, container: string, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
        const query = new URLSearchParams({ container, follow: "true", timestamps: "true" }).toString();
        return this.#send("GET", "/api/v1", `/pods/${pod}/log?${query}`, { signal });
    }

    async #send(method: string, group: string, path: string, { body, signal }: Call): Promise<IncomingMessage> {
        const { url, ca, namespace, readToken } = this.#options;
        const send = url.startsWith("https:") ? httpsRequest : httpRequest;
        const text = body === undefined ? undefined : JSON.stringify(body);
        const request = send(new URL(`${group}/namespaces/${namespace}${path}`, url), {
            method,
            headers: {
                authorization: `Bearer ${readToken()}`,
                accept: "application/json",
                // Without a length, Node.js sends no body with DELETE.
                ...(text === undefined
                    ? {}
                    : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
            },
            agent: false,
            ...(ca === undefined ? {} : { ca }),
            ...(signal === undefined ? {} : { signal }),
        });
        // A lost connection ends the answer with an error, too.
        request.on("error", () => undefined);
        request.end(text);
        const [answer] = (await once(request, "response")) as [IncomingMessage];
        const { statusCode = 0 } = answer;
        if (statusCode >= 300) {
            throw new KubernetesError(statusCode, messageOf(await textOf(answer)) ?? `status ${statusCode}`);
        }
        return answer;
    }
}

async function textOf(answer: AsyncIterable<Buffer>): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of answer) {
        chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
}

function messageOf(text: string): string | undefined {
    try {
        const value: unknown = JSON.parse(text);
        return isRecord(value) && typeof value["message"] === "string" ? value["message"] : undefined;
    } catch {
        return undefined;
    }
}
