import { once } from "node:events";
import { watch, type FSWatcher } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { downloadBundle } from "@pulumi-static-export/sdk";
import { DeploymentFolder, keyOf, type StaticExportValues } from "./deployment-folder.js";
import { exists } from "@pulumi-static-export/toolchain";
import { LiveSite } from "./live-site.js";

export interface LocalDeploymentOptions {
    folder: string;
    /** The port to listen on; if it is taken, the deployment uses another port. 0 means any free port. */
    port: number;
    print: (line: string) => void;
    /** Aborts a download. */
    signal: AbortSignal;
}

/**
 * A deployment on this machine that behaves like the one on a cluster: it turns values into a site. The deployment
 * fetches the bundle at `bundleUrl` without an Authorization header, unpacks it and serves it. New values replace the
 * live site without a failed request. The unpacked site stays on disk, so that a restart can serve it even after the
 * link has expired.
 */
export class LocalDeployment {
    readonly #options: LocalDeploymentOptions;
    readonly #folder: DeploymentFolder;
    readonly #server: Server;
    #live: LiveSite | undefined;
    #liveKey: string | undefined;
    #applying: Promise<void> = Promise.resolve();
    #watcher: FSWatcher | undefined;

    constructor(options: LocalDeploymentOptions) {
        this.#options = options;
        this.#folder = new DeploymentFolder(options.folder);
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

    /** Listens, serves the site of the last applied values, and applies new values as they are written. */
    async start(): Promise<void> {
        await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
        await this.#listen();
        await this.#applyWritten().catch((error: Error) => {
            this.#options.signal.throwIfAborted();
            // The link of the last bundle may have expired; new values will follow.
            this.#options.print(`The site of the last run cannot be served again: ${error.message}`);
        });
        this.#watcher = watch(this.#options.folder, (_event, name) => {
            if (name === DeploymentFolder.valuesFile) {
                this.#applyWritten().catch((error: Error) => {
                    this.#options.print(
                        `The new values were not applied, and the old site stays live: ${error.message}`,
                    );
                });
            }
        });
    }

    /** Resolves when the site of these values is live; rejects if the old site remains live. */
    async apply(values: StaticExportValues): Promise<void> {
        await this.#folder.writeValues(values);
        await this.#applyWritten();
    }

    async stop(): Promise<void> {
        this.#watcher?.close();
        await this.#applying.catch(() => undefined);
        this.#server.closeAllConnections();
        this.#server.close();
        await once(this.#server, "close");
    }

    async #listen(): Promise<void> {
        try {
            this.#server.listen(this.#options.port, "127.0.0.1");
            await once(this.#server, "listening");
        } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") {
                throw error;
            }
            this.#options.print(`Port ${this.#options.port} is taken by another program: the site gets another port.`);
            this.#server.listen(0, "127.0.0.1");
            await once(this.#server, "listening");
        }
    }

    /** Applies one set of values at a time, because the watcher also reacts to the values that `apply` writes. */
    #applyWritten(): Promise<void> {
        this.#applying = this.#applying.catch(() => undefined).then(() => this.#replace());
        return this.#applying;
    }

    async #replace(): Promise<void> {
        const values = await this.#folder.readValues();
        if (!values?.enabled) {
            return;
        }
        const previous = this.#live;
        try {
            await this.#makeLive(values);
            await this.#folder.writeOutcome(values);
        } catch (error) {
            await this.#folder.writeOutcome(values, error as Error);
            throw error;
        }
        if (previous && previous !== this.#live) {
            await previous.drain();
            await rm(previous.folder, { recursive: true });
        }
    }

    async #makeLive(values: StaticExportValues): Promise<void> {
        const key = keyOf(values);
        if (key === this.#liveKey) {
            return;
        }
        const { folder: root, print, signal } = this.#options;
        const folder = join(root, "sites", key);
        if (!(await exists(folder))) {
            const { fileCount, sizeBytes } = await downloadBundle(values.bundleUrl, folder, { signal });
            print(`Fetched the bundle: ${fileCount} files, ${sizeBytes} bytes packed.`);
        }
        this.#live = new LiveSite(folder);
        this.#liveKey = key;
    }
}
