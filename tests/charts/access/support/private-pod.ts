import assert from "node:assert/strict";
import { Agent, type IncomingHttpHeaders, request, type RequestOptions } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { BundleServer } from "../../support/bundle-server.js";
import { FetchPod } from "../../support/fetch-pod.js";
import { LiveNginx } from "../../support/live-nginx.js";
import { exported, podTemplate, render } from "../../support/render-chart.js";

/** Fetches a bundle as the init container does; without a separator, the chart does not configure access. */
export async function fetchPrivate(bundle: Buffer, separator: string | undefined): Promise<FetchPod & Fetched> {
    const server = await BundleServer.start();
    const pod = await FetchPod.create();
    try {
        pod.environment = separator === undefined ? {} : { GROUPS_SEPARATOR: separator };
        await pod.writeSecret(server.link());
        server.serve(bundle);
        return Object.assign(pod, await pod.run());
    } finally {
        server.stop();
    }
}

interface Fetched {
    exitCode: number | null;
    log: string;
    message: string;
}

export interface Answer {
    status: number | undefined;
    headers: IncomingHttpHeaders;
    body: string;
}

export interface Ask {
    method?: string;
    headers?: Record<string, string | string[]>;
}

/** A pod with private files: the script fetches them, and a real nginx serves them with the chart's configuration. */
export class PrivatePod {
    readonly #nginx: LiveNginx;
    readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });

    private constructor(nginx: LiveNginx) {
        this.#nginx = nginx;
    }

    /** @param ports of oauth2-proxy and of the server for programs, if they run */
    static async start(
        nginxProgram: string,
        bundle: Buffer,
        values: object,
        { signIn = 4180, answer = 8788 } = {},
    ): Promise<PrivatePod> {
        const manifests = await render({ ...exported, ...values });
        const [init] = podTemplate(manifests).spec.initContainers;
        const separator = init?.env.find(({ name }) => name === "GROUPS_SEPARATOR")?.value;
        const fetched = await fetchPrivate(bundle, separator);
        try {
            assert.equal(fetched.exitCode, 0, fetched.log);
            const configMap = manifests.get("ConfigMap/docs-documentation-site");
            assert.ok(configMap);
            const files = configMap.data as Record<string, string>;
            const configuration = files["nginx.conf"]
                ?.replaceAll("127.0.0.1:4180", `127.0.0.1:${signIn}`)
                .replaceAll("127.0.0.1:8788", `127.0.0.1:${answer}`);
            configMap.data = { ...files, "nginx.conf": configuration };
            return new PrivatePod(await LiveNginx.start(nginxProgram, configMap, fetched.path("site")));
        } finally {
            await fetched.remove();
        }
    }

    get site(): string {
        return this.#nginx.site;
    }

    get address(): string {
        return this.#nginx.url("");
    }

    async ask(path: string, asked: Ask = {}): Promise<Answer> {
        const { hostname, port } = new URL(this.#nginx.url("/"));
        return send({ hostname, port: Number(port), agent: this.#agent }, path, asked);
    }

    /**
     * Sends these bytes on a separate connection, and returns the response when the server has closed the connection.
     */
    async exchange(bytes: string): Promise<string> {
        const { hostname, port } = new URL(this.#nginx.url("/"));
        const socket = connect(Number(port), hostname);
        socket.write(bytes, "latin1");
        return text(socket);
    }

    async markDraining(): Promise<void> {
        await this.#nginx.markDraining();
    }

    async stop(): Promise<void> {
        this.#agent.destroy();
        await this.#nginx.stop();
    }
}

/** fetch would normalise the paths under test. */
export async function send(to: RequestOptions, path: string, { method = "GET", headers = {} }: Ask): Promise<Answer> {
    return new Promise((resolve, reject) => {
        request({ ...to, path, method, headers }, (response) => {
            const { statusCode: status, headers } = response;
            delete headers.date;
            text(response).then((body) => resolve({ status, headers, body }), reject);
        })
            .once("error", reject)
            .end();
    });
}
