import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type IncomingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { type Published, type PublishRequest, publishSite, S3Target } from "@pulumi-static-export/sdk/publish";
import { LocalEdge } from "../../../../dev/quickstart/src/bucket/local-edge.js";
import { bucket, credentials, S3Server, setCredentials } from "../../../provider/bundle-mirror/s3-server.js";

export const sitesChart = fileURLToPath(new URL("../../../../charts/documentation-sites", import.meta.url));

export interface Answer {
    readonly status: number;
    readonly text: string;
    readonly headers: IncomingHttpHeaders;
}

/** The files of a site by their paths. */
export type Files = Readonly<Record<string, string>>;

/** An S3 server with sites below `sites/`, and an edge in front of it, for the specs of a suite. */
export class EdgeFixture {
    readonly #folder: string;
    readonly #server: S3Server;
    readonly #edge: LocalEdge;
    readonly #restoreEnvironment: () => void;

    private constructor(folder: string, server: S3Server, edge: LocalEdge, restoreEnvironment: () => void) {
        this.#folder = folder;
        this.#server = server;
        this.#edge = edge;
        this.#restoreEnvironment = restoreEnvironment;
    }

    /** @param values - the chart's values */
    static use(values: object = {}): () => EdgeFixture {
        let fixture: EdgeFixture;
        before(async function () {
            this.timeout(120_000);
            fixture = await EdgeFixture.#start(values);
        });
        after(() => fixture.#stop());
        return () => fixture;
    }

    static async #start(values: object): Promise<EdgeFixture> {
        const restoreEnvironment = setCredentials();
        const folder = await mkdtemp(join(tmpdir(), "edge-spec-"));
        const server = await S3Server.start();
        try {
            const place = { endpoint: server.endpoint, bucket, ...credentials };
            const allValues = { bucket: { prefix: "sites/" }, ...values };
            const edge = await LocalEdge.start(sitesChart, join(folder, "edge"), place, allValues, 1);
            return new EdgeFixture(folder, server, edge, restoreEnvironment);
        } catch (error) {
            await server.stop();
            throw error;
        }
    }

    get server(): S3Server {
        return this.#server;
    }

    get metricsAddress(): string {
        return this.#edge.metricsAddress;
    }

    get port(): number {
        return this.#edge.port;
    }

    errors(): Promise<string> {
        return this.#edge.errors();
    }

    /** Publishes files as a BucketSite for this host does. */
    async publish(host: string, files: Files, given: Partial<PublishRequest> = {}): Promise<Published> {
        const folder = await mkdtemp(join(this.#folder, "site-"));
        for (const [path, content] of Object.entries(files)) {
            await mkdir(dirname(join(folder, path)), { recursive: true });
            await writeFile(join(folder, path), content);
        }
        const location = { bucket, prefix: `sites/${host}/`, endpoint: this.#server.endpoint, region: "us-east-1" };
        const target = await S3Target.open({ ...location, pathStyle: true });
        return publishSite(target, {
            owner: host,
            switching: "releases",
            keep: 1,
            graceSeconds: 0,
            openSite: () => Promise.resolve({ folder }),
            signal: new AbortController().signal,
            log: () => undefined,
            ...given,
        });
    }

    /** Writes an object of a site directly, without our code. */
    async write(host: string, path: string, content: string): Promise<void> {
        const object = { Bucket: bucket, Key: `sites/${host}/${path}`, Body: content };
        await this.#server.client.send(new PutObjectCommand(object));
    }

    /** Reads the text of a site's object. */
    async read(host: string, path: string): Promise<string> {
        const object = { Bucket: bucket, Key: `sites/${host}/${path}` };
        return (await this.#server.client.send(new GetObjectCommand(object))).Body!.transformToString();
    }

    async remove(host: string, path: string): Promise<void> {
        await this.#server.client.send(new DeleteObjectCommand({ Bucket: bucket, Key: `sites/${host}/${path}` }));
    }

    /** Requests an address exactly as given; fetch would normalise it. */
    get(host: string, path: string, headers: Files = {}, method = "GET", address = "127.0.0.1"): Promise<Answer> {
        return new Promise((resolve, reject) => {
            const target = { host: address, port: this.#edge.port, path, method, agent: false as const };
            request({ ...target, headers: { host, ...headers } }, (response) => {
                let text = "";
                response.setEncoding("utf8").on("data", (part: string) => (text += part));
                const { statusCode: status = 0, headers: received } = response;
                response.on("end", () => resolve({ status, text, headers: received }));
            })
                .on("error", reject)
                .end();
        });
    }

    async #stop(): Promise<void> {
        await this.#edge.stop();
        await this.#server.stop();
        this.#restoreEnvironment();
        await rm(this.#folder, { recursive: true });
    }
}
