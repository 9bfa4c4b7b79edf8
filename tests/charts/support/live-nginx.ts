import { type ChildProcess, spawn } from "node:child_process";
import { appendFile, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "@pulumi-static-export/toolchain";
import { type Manifest } from "./render-chart.js";

/** A real nginx with the chart's configuration; only absolute paths and the port differ. */
export class LiveNginx {
    readonly exited: Promise<number | null>;
    readonly #folder: string;
    readonly #port: number;
    readonly #metricsPort: number;
    readonly #child: ChildProcess;
    readonly #host: string;

    private constructor(folder: string, port: number, metricsPort: number, child: ChildProcess, host: string) {
        this.#host = host;
        this.#folder = folder;
        this.#port = port;
        this.#metricsPort = metricsPort;
        this.#child = child;
        this.exited = new Promise((resolve) => child.once("close", resolve));
    }

    /**
     * @param site the files that a pod's init container would write, or the folder in which it has written them
     * @param linkExpires the file that Kubernetes would mount for the metrics
     * @param host the address of this machine, as in an URL
     */
    static async start(
        nginx: string,
        configMap: Manifest,
        site: Record<string, string> | string,
        linkExpires = "",
        host = "127.0.0.1",
    ): Promise<LiveNginx> {
        const folder = await mkdtemp(path.join(tmpdir(), "live-nginx-"));
        const address = host.replace(/^\[(.*)\]$/, "$1");
        const [port, metricsPort] = [await freePort(address), await freePort(address)];
        if (typeof site === "string") {
            await cp(site, path.join(folder, "srv/site"), { recursive: true, preserveTimestamps: true });
        } else {
            for (const [name, content] of Object.entries(site)) {
                const file = path.join(folder, "srv/site", name);
                await mkdir(path.dirname(file), { recursive: true });
                await writeFile(file, content);
            }
        }
        await mkdir(path.join(folder, "tmp"));
        await mkdir(path.join(folder, "etc"));
        for (const [name, content] of Object.entries(configMap.data as Record<string, string>)) {
            await writeFile(path.join(folder, "etc", name), relocate(content, folder, port, metricsPort, host));
        }
        await mkdir(path.join(folder, "link"));
        await writeFile(path.join(folder, "link/link-expires"), linkExpires);
        const env = { PATH: `${path.dirname(nginx)}:${process.env["PATH"]}` };
        const child = spawn("sh", [path.join(folder, "etc/start.sh")], { stdio: "ignore", env });
        const server = new LiveNginx(folder, port, metricsPort, child, host);
        try {
            await server.#untilReady();
        } catch (error) {
            child.kill();
            throw error;
        }
        return server;
    }

    /** The folder that a pod's init container writes. */
    get site(): string {
        return path.join(this.#folder, "srv/site");
    }

    url(path: string, host = this.#host): string {
        return `http://${host}:${this.#port}${path}`;
    }

    get metricsUrl(): string {
        return `http://127.0.0.1:${this.#metricsPort}/metrics`;
    }

    /** Adds the lines that nginx would write for this many errors. */
    async addErrors(status: "4xx" | "5xx", count: number): Promise<void> {
        await appendFile(path.join(this.#folder, `tmp/requests-${status}`), "\n".repeat(count));
    }

    /** Runs the container's preStop script. */
    async drain(drainSeconds: number): Promise<number | null> {
        const child = spawn("sh", [path.join(this.#folder, "etc/drain.sh")], {
            stdio: "ignore",
            env: { PATH: process.env.PATH, DRAIN_SECONDS: String(drainSeconds) },
        });
        return new Promise((resolve) => child.once("close", resolve));
    }

    async markDraining(): Promise<void> {
        await writeFile(path.join(this.#folder, "tmp/draining"), "");
    }

    async stop(): Promise<void> {
        this.#child.kill("SIGQUIT");
        await this.exited;
        await rm(this.#folder, { recursive: true });
    }

    /** nginx prints nothing when it listens, so this method polls nginx a limited number of times. */
    async #untilReady(): Promise<void> {
        for (let attempt = 0; attempt < 5000; attempt++) {
            const ready = await fetch(this.url("/healthz")).then(
                (response) => response.ok,
                () => false,
            );
            if (ready) {
                return;
            }
            await new Promise((resolve) => setTimeout(resolve, 10));
        }
        throw new Error("nginx does not answer");
    }
}

function relocate(text: string, folder: string, port: number, metricsPort: number, host: string): string {
    // Without IPv4 addresses, only all of them can be listened to, as in a pod.
    const ofHost = host.startsWith("[") ? "" : `${host}:`;
    // If the master process ran as root, its workers would use an account that cannot read a temporary folder.
    const account = process.getuid?.() === 0 ? "user root;\n" : "";
    return text
        .replaceAll("/tmp/", `${folder}/tmp/`)
        .replace("worker_processes", `${account}worker_processes`)
        .replaceAll("/srv/", `${folder}/srv/`)
        .replaceAll("/etc/static-export-link", `${folder}/link`)
        .replace("listen 8082", `listen ${ofHost}${metricsPort}`)
        .replace("listen 8080", `listen ${ofHost}${port}`)
        .replaceAll("listen-8082", `listen-${metricsPort}`)
        .replaceAll("listen-8080", `listen-${port}`)
        .replace("in 8080 8082", `in ${port} ${metricsPort}`)
        .replace("[::]", "[::1]")
        .replaceAll("/etc/documentation-site", `${folder}/etc`)
        .replaceAll("/dev/stdout", `${folder}/access.log`);
}
