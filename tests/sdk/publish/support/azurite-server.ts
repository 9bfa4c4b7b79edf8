import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { type BlobGetPropertiesResponse, ContainerClient, StorageSharedKeyCredential } from "@azure/storage-blob";
import { azurite, ensureNpmPackage, freePort } from "@pulumi-static-export/toolchain";

const account = "docsaccount";
export const accountKey = Buffer.from("s3cr3t-of-the-azure-spec").toString("base64");
export const container = "$web";

/** Runs one server for the specs of a suite, and empties it after each spec. */
export function useAzurite(): () => AzuriteServer {
    let server: AzuriteServer;
    before(async function () {
        // The first run installs Azurite.
        this.timeout(600_000);
        server = await AzuriteServer.start();
    });
    afterEach(() => server.clear());
    after(() => server.stop());
    return () => server;
}

/** Azure's emulator of Blob Storage, with one container, on loopback and in memory. */
export class AzuriteServer {
    readonly endpoint: string;
    readonly client: ContainerClient;
    readonly #process: ChildProcess;

    private constructor(process: ChildProcess, endpoint: string) {
        this.#process = process;
        this.endpoint = endpoint;
        const credential = new StorageSharedKeyCredential(account, accountKey);
        // The SDK passes all options to its transport. Specs use their own certificate.
        const options = { retryOptions: {}, tlsOptions: { rejectUnauthorized: false } };
        this.client = new ContainerClient(`${endpoint}/${encodeURIComponent(container)}`, credential, options);
    }

    /** @param options - additional options of Azurite's command line */
    static async start(...options: string[]): Promise<AzuriteServer> {
        const program = join(await ensureNpmPackage(azurite), "dist/src/blob/main.js");
        const port = await freePort();
        const memory = ["--inMemoryPersistence", "--skipApiVersionCheck", "--disableTelemetry", "--silent"];
        const address = ["--blobHost", "127.0.0.1", "--blobPort", String(port)];
        const child = spawn(process.execPath, [program, ...address, ...memory, ...options], {
            stdio: ["ignore", "ignore", "inherit"],
            env: { ...process.env, AZURITE_ACCOUNTS: `${account}:${accountKey}` },
        });
        const scheme = options.includes("--cert") ? "https" : "http";
        const server = new AzuriteServer(child, `${scheme}://127.0.0.1:${port}/${account}`);
        try {
            await server.#untilReady();
            await server.client.create();
            return server;
        } catch (error) {
            await server.stop();
            throw error;
        }
    }

    async stop(): Promise<void> {
        if (this.#process.exitCode === null && this.#process.signalCode === null) {
            const ended = once(this.#process, "exit");
            this.#process.kill("SIGKILL");
            await ended;
        }
    }

    async keys(): Promise<string[]> {
        const names: string[] = [];
        for await (const { name } of this.client.listBlobsFlat()) {
            names.push(name);
        }
        return names.sort();
    }

    async read(key: string): Promise<string> {
        const { readableStreamBody } = await this.client.getBlobClient(key).download();
        return String(await buffer(readableStreamBody!));
    }

    head(key: string): Promise<BlobGetPropertiesResponse> {
        return this.client.getBlobClient(key).getProperties();
    }

    async put(key: string, content: string): Promise<void> {
        await this.client.getBlockBlobClient(key).upload(content, Buffer.byteLength(content));
    }

    /** Removes every blob. */
    async clear(): Promise<void> {
        for (const key of await this.keys()) {
            await this.client.deleteBlob(key);
        }
    }

    /** Azurite prints nothing, so this method polls Azurite a limited number of times. */
    async #untilReady(): Promise<void> {
        const { hostname: host, port } = new URL(this.endpoint);
        for (let attempt = 0; attempt < 3000 && this.#process.exitCode === null; attempt++) {
            const socket = connect({ host, port: Number(port) });
            const isOpen = await once(socket, "connect").then(
                () => true,
                () => false,
            );
            socket.destroy();
            if (isOpen) {
                return;
            }
            await new Promise((resolve) => setTimeout(resolve, 20));
        }
        throw new Error("Azurite does not answer");
    }
}
