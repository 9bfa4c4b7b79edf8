import { createHash } from "node:crypto";
import { once } from "node:events";
import { watch, type FSWatcher } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { downloadBundle } from "@pulumi-static-export/sdk";
import { exists, readJson } from "./files.js";
import { LiveSite } from "./live-site.js";

/** The values a self-hosted deployment is configured with (admin-api.md, "Deployment settings that consume a bundle"). */
export interface StaticExportValues {
    enabled: boolean;
    bundleUrl: string;
    version?: string | undefined;
}

export interface LocalDeploymentOptions {
    folder: string;
    /** 0 takes any free port. */
    port: number;
    print: (line: string) => void;
}

/**
 * A deployment on this machine that behaves like the one on a cluster: values in, site out. It fetches the bundle that
 * the values name, without an Authorization header, unpacks it and serves it; new values replace the live site without
 * a failed request. What it has unpacked stays, so that a restart serves the site even when the link has died.
 */
export class LocalDeployment {
    readonly #options: LocalDeploymentOptions;
    readonly #server: Server;
    #live: LiveSite | undefined;
    #liveKey: string | undefined;
    #applying: Promise<void> = Promise.resolve();
    #watcher: FSWatcher | undefined;

    constructor(options: LocalDeploymentOptions) {
        this.#options = options;
        this.#server = createServer((request, response) => {
            if (this.#live) {
                this.#live.handle(request, response);
            } else {
                response.writeHead(503, { "content-type": "text/plain", "retry-after": "1" }).end("No site yet.\n");
            }
        });
    }

    get address(): string {
        return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
    }

    /** Listens, serves the site of the values that were last applied, and applies new ones as they are written. */
    async start(): Promise<void> {
        await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
        this.#server.listen(this.#options.port, "127.0.0.1");
        await once(this.#server, "listening");
        await this.#applyWritten();
        this.#watcher = watch(this.#options.folder, (_event, name) => {
            if (name === valuesFile) {
                this.#applyWritten().catch((error: Error) => {
                    this.#options.print(`The new values were not applied, the old site stays live: ${error.message}`);
                });
            }
        });
    }

    /** Resolves when the site of these values is live; rejects, with the old one still live, when it cannot be. */
    async apply(values: StaticExportValues): Promise<void> {
        await writeValues(this.#options.folder, values);
        await this.#applyWritten();
    }

    async stop(): Promise<void> {
        this.#watcher?.close();
        await this.#applying.catch(() => undefined);
        this.#server.closeAllConnections();
        this.#server.close();
        await once(this.#server, "close");
    }

    /** One after another, because the watcher sees what `apply` has written too. */
    #applyWritten(): Promise<void> {
        this.#applying = this.#applying.catch(() => undefined).then(() => this.#replace());
        return this.#applying;
    }

    async #replace(): Promise<void> {
        const values = await readJson<StaticExportValues>(join(this.#options.folder, valuesFile));
        if (!values?.enabled) {
            return;
        }
        const key = keyOf(values);
        if (key === this.#liveKey) {
            return;
        }
        const folder = join(this.#options.folder, "sites", key);
        if (!(await exists(folder))) {
            const { fileCount, sizeBytes } = await downloadBundle(values.bundleUrl, folder);
            this.#options.print(`Fetched the bundle: ${fileCount} files, ${sizeBytes} bytes packed.`);
        }
        const previous = this.#live;
        this.#live = new LiveSite(folder);
        this.#liveKey = key;
        if (previous) {
            await previous.drain();
            await rm(previous.folder, { recursive: true });
        }
    }
}

const valuesFile = "values.json";

/** Hands values to the deployment that lives in this folder, by whichever process it is run. */
export async function writeValues(folder: string, values: StaticExportValues): Promise<void> {
    const draft = join(folder, `.${valuesFile}.${process.pid}`);
    // The link is a secret: owner-only, and written whole or not at all.
    await writeFile(draft, JSON.stringify(values), { mode: 0o600 });
    await rename(draft, join(folder, valuesFile));
}

/** The same for every link to the same bundle: a renewed link replaces no site. */
function keyOf({ bundleUrl, version }: StaticExportValues): string {
    const { pathname } = new URL(bundleUrl);
    return createHash("sha256").update(JSON.stringify([pathname, version])).digest("hex").slice(0, 16);
}
