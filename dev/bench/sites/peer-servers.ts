import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "@pulumi-static-export/toolchain";

/** An nginx with two workers that serves the sites without the chart. */
export class PeerServer {
    readonly port: number;
    readonly #child: ChildProcess;

    private constructor(port: number, child: ChildProcess) {
        this.port = port;
        this.#child = child;
    }

    /** Serves one folder for each host, as in the guide "Any static host". */
    static overDisk(folder: string, sites: string): Promise<PeerServer> {
        return PeerServer.#start(
            folder,
            "",
            `root ${sites}/$host;
        location / { try_files $uri $uri.html $uri/index.html =404; }`,
        );
    }

    /**
     * Serves a public bucket through proxy_cache alone. Reads the live releases from its configuration instead of
     * looking them up; each response is at most as old as the chart's records.
     *
     * @param sites - the address of the folder with the sites
     * @param releases - the folder of the live release of each host
     */
    static async overBucket(
        folder: string,
        sites: URL,
        releases: ReadonlyMap<string, string>,
        seconds: number,
    ): Promise<PeerServer> {
        await mkdir(folder);
        const lines = [...releases].map(([host, release]) => `${host} ${release};`);
        await writeFile(join(folder, "releases.conf"), lines.join("\n"));
        return PeerServer.#start(
            folder,
            `map_hash_max_size 16384;
    map_hash_bucket_size 128;
    map $host $release { include ${folder}/releases.conf; }
    map $uri $file { ~/$ "\${uri}index.html"; ~[.][^/]*$ $uri; default $uri.html; }
    proxy_cache_path ${folder}/cache levels=1:2 keys_zone=files:32m inactive=30d use_temp_path=off;
    upstream bucket { server ${sites.host}; keepalive 64; }`,
            `location / {
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_cache files;
            proxy_cache_key $host$file;
            proxy_cache_valid 200 ${seconds}s;
            proxy_cache_revalidate on;
            proxy_cache_lock on;
            proxy_cache_use_stale updating;
            proxy_pass http://bucket${sites.pathname}$host/$release$file;
        }`,
        );
    }

    static async #start(folder: string, http: string, server: string): Promise<PeerServer> {
        await mkdir(folder, { recursive: true });
        const port = await freePort();
        const account = process.getuid?.() === 0 ? "user root;" : "";
        const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
            (name) => `${name}_temp_path ${folder}/${name};`,
        );
        const configuration = `${account} worker_processes 2; daemon off; pid ${folder}/pid;
events { worker_connections 4096; }
http {
    include /etc/nginx/mime.types;
    access_log off;
    sendfile on;
    gzip on;
    ${paths.join("\n    ")}
    ${http}
    server {
        listen 127.0.0.1:${port};
        ${server}
    }
}
`;
        await writeFile(join(folder, "nginx.conf"), configuration);
        const child = spawn("/usr/sbin/nginx", ["-e", join(folder, "log"), "-c", join(folder, "nginx.conf")]);
        for (let attempt = 0; attempt < 500; attempt += 1) {
            const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
                () => true,
                () => false,
            );
            if (isUp) {
                return new PeerServer(port, child);
            }
            await new Promise((resolve) => setTimeout(resolve, 10));
        }
        throw new Error(`nginx does not start: see ${folder}/log`);
    }

    get processId(): number {
        return this.#child.pid!;
    }

    async stop(): Promise<void> {
        this.#child.kill("SIGTERM");
        await once(this.#child, "close");
    }
}
