import { type ChildProcess, spawn } from "node:child_process";
import { hash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { freePort } from "@pulumi-static-export/toolchain";

/** Runs the daemon of GitLab Pages on archives in object storage, with a server in place of GitLab's internal API. */
export class GitLabPages {
    readonly port: number;
    readonly #child: ChildProcess;
    readonly #api: Server;

    private constructor(port: number, child: ChildProcess, api: Server) {
        this.port = port;
        this.#child = child;
        this.#api = api;
    }

    /**
     * @param binary - the program `gitlab-pages`
     * @param archiveOf - the address of a host's ZIP archive, whose folder `public` is the site
     */
    static async start(binary: string, folder: string, archiveOf: (host: string) => string): Promise<GitLabPages> {
        await mkdir(folder);
        const secret = join(folder, "secret");
        await writeFile(secret, randomBytes(32).toString("base64"));
        const api = createServer((request, response) => {
            const host = new URL(request.url ?? "", "http://localhost").searchParams.get("host") ?? "";
            // GitLab Pages uses the digest only as a cache key.
            const source = { type: "zip", path: archiveOf(host), sha256: hash("sha256", host) };
            response.setHeader("content-type", "application/json");
            response.end(JSON.stringify({ lookup_paths: [{ project_id: 1, prefix: "/", source }] }));
        });
        await once(api.listen(0, "127.0.0.1"), "listening");
        const apiAddress = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
        const port = await freePort();
        const options = {
            "listen-http": `127.0.0.1:${port}`,
            "gitlab-server": apiAddress,
            "api-secret-key": secret,
            "pages-domain": "pages.example.com",
            "pages-root": folder,
            "pages-status": "/@status",
            "enable-disk": "false",
        };
        // GitLab Pages always writes an access log.
        const args = Object.entries(options).map(([name, value]) => `-${name}=${value}`);
        const child = spawn(binary, args, { stdio: "ignore" });
        const pages = new GitLabPages(port, child, api);
        for (let attempt = 0; attempt < 500; attempt += 1) {
            const isUp = await fetch(`http://127.0.0.1:${port}/@status`).then(
                ({ ok }) => ok,
                () => false,
            );
            if (isUp) {
                return pages;
            }
            await new Promise((resolve) => setTimeout(resolve, 10));
        }
        await pages.stop();
        throw new Error(`${binary} does not start: run it with ${args.join(" ")}`);
    }

    get processId(): number {
        return this.#child.pid!;
    }

    async stop(): Promise<void> {
        this.#api.close().closeAllConnections();
        if (this.#child.exitCode === null) {
            this.#child.kill("SIGTERM");
            await once(this.#child, "close");
        }
    }
}
