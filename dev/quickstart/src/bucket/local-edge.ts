import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { ensureDebianPackages, ensureTool, freePort, run } from "@pulumi-static-export/toolchain";
import { parse } from "yaml";

/** The bucket with the sites. */
export interface EdgeBucket {
    readonly endpoint: string;
    readonly bucket: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
}

/** Debian keeps nginx where only root's PATH looks. */
const nginxFolder = "/usr/sbin";

/** nginx on this machine with a chart's configuration, except for paths and ports. */
export class LocalEdge {
    readonly port: number;
    readonly metricsAddress: string;
    readonly #folder: string;
    readonly #child: ChildProcess;
    readonly #exited: Promise<unknown>;

    private constructor(folder: string, port: number, metricsPort: number, child: ChildProcess) {
        this.#folder = folder;
        this.port = port;
        this.metricsAddress = `http://127.0.0.1:${metricsPort}`;
        this.#child = child;
        this.#exited = once(child, "close");
    }

    /**
     * @param chart - the folder of the chart documentation-sites
     * @param folder - the folder for configuration, cache and log, which is emptied first
     * @param values - additional values of the chart
     * @param recordSeconds - how long a record is cached, instead of the chart's five seconds
     */
    static async start(
        chart: string,
        folder: string,
        bucket: EdgeBucket,
        values: object = {},
        recordSeconds = 5,
    ): Promise<LocalEdge> {
        await ensureDebianPackages(["nginx-light", "libnginx-mod-http-js"]);
        const [port, bucketPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
        await rm(folder, { recursive: true, force: true });
        for (const name of ["etc", "keys", "tmp", "cache"]) {
            await mkdir(path.join(folder, name), { recursive: true, mode: 0o700 });
        }
        const relocate = (text: string) =>
            text
                .replaceAll("/tmp/", `${folder}/tmp/`)
                .replace("proxy_cache_valid 200 206 404 5s", `proxy_cache_valid 200 206 404 ${recordSeconds}s`)
                // If the master process ran as root, its workers would use an account that cannot read the folder.
                .replace("worker_processes", `${process.getuid?.() === 0 ? "user root;\n" : ""}worker_processes`)
                .replaceAll("/etc/documentation-sites-keys/", `${folder}/keys/`)
                .replaceAll("/etc/documentation-sites", `${folder}/etc`)
                .replaceAll("/var/cache/documentation-sites", `${folder}/cache`)
                .replaceAll("/dev/stdout", `${folder}/access.log`)
                .replace("listen 8080", `listen 127.0.0.1:${port}`)
                .replaceAll("127.0.0.1:8081", `127.0.0.1:${bucketPort}`)
                .replace("listen 8082", `listen 127.0.0.1:${metricsPort}`)
                .replaceAll("listen-8080", `listen-${port}`)
                .replaceAll("listen-8082", `listen-${metricsPort}`)
                .replace("in 8080 8082", `in ${port} ${metricsPort}`)
                .replace("[::]", "[::1]");
        for (const [name, content] of Object.entries(await renderFiles(chart, folder, bucket, values))) {
            await writeFile(path.join(folder, "etc", name), relocate(content));
        }
        await writeFile(path.join(folder, "keys/access-key-id"), bucket.accessKeyId, { mode: 0o600 });
        await writeFile(path.join(folder, "keys/secret-access-key"), bucket.secretAccessKey, { mode: 0o600 });
        const errors = await open(path.join(folder, "error.log"), "a");
        const child = spawn("sh", [path.join(folder, "etc/start.sh")], {
            stdio: ["ignore", "ignore", errors.fd],
            env: { PATH: `${nginxFolder}:${process.env["PATH"]}` },
        });
        await errors.close();
        const edge = new LocalEdge(folder, port, metricsPort, child);
        try {
            await edge.#untilReady();
        } catch (error) {
            await edge.stop();
            throw error;
        }
        return edge;
    }

    get processId(): number {
        return this.#child.pid!;
    }

    errors(): Promise<string> {
        return readFile(path.join(this.#folder, "error.log"), "utf8");
    }

    async stop(): Promise<void> {
        this.#child.kill("SIGTERM");
        await this.#exited;
    }

    /** Polls nginx a limited number of times, because it prints nothing when it starts to listen. */
    async #untilReady(): Promise<void> {
        for (let attempt = 0; attempt < 3000 && this.#child.exitCode === null; attempt++) {
            if (
                await fetch(`${this.metricsAddress}/healthz`).then(
                    ({ ok }) => ok,
                    () => false,
                )
            ) {
                return;
            }
            await new Promise((resolve) => setTimeout(resolve, 10));
        }
        throw new Error(`nginx does not start: ${await this.errors()}`);
    }
}

/** Renders the files of the chart's ConfigMap. */
async function renderFiles(
    chart: string,
    folder: string,
    { endpoint, bucket: name }: EdgeBucket,
    values: object,
): Promise<Record<string, string>> {
    const edgeValues = path.join(folder, "edge-values.json");
    const bucket = { name, endpoint, pathStyle: true, existingSecret: "bucket-keys" };
    await writeFile(edgeValues, JSON.stringify({ bucket }));
    const further = path.join(folder, "values.json");
    await writeFile(further, JSON.stringify(values));
    const files = ["--values", edgeValues, "--values", further];
    const template = ["template", "docs", chart, "--show-only", "templates/configmap.yaml", ...files];
    const rendered = await run(await ensureTool("helm"), template);
    return (parse(rendered) as { data: Record<string, string> }).data;
}
