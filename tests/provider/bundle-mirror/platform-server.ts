import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo } from "node:net";
import type { PrivateCertificate } from "../../charts/support/private-certificate.js";

/** The platform over real HTTP, with the parts that a mirror uses: finished jobs, and links to their archives. */
export class PlatformServer {
    bundleRequests = 0;
    downloads = 0;
    /** Answers a download. */
    archive: RequestListener = (_request, response) => response.writeHead(404).end();
    /** The size of the archive that the platform reports; undefined if it reports none. */
    sizeBytes: number | undefined;
    /** The location of the archives, if another server serves them. */
    link: string | undefined;
    readonly #server: Server;

    readonly #scheme: string;

    private constructor(certificate: PrivateCertificate | undefined) {
        const answer: RequestListener = (request, response) => {
            const jobId = /^\/v1\/static-export\/jobs\/([\w]+)\/bundle$/.exec(request.url ?? "")?.[1];
            if (request.method === "POST" && jobId !== undefined) {
                this.bundleRequests += 1;
                const ownLink = `${this.url}/archives/${jobId}.tar.gz?request=${this.bundleRequests}&signature=s3cr3t`;
                response.setHeader("content-type", "application/json");
                response.end(JSON.stringify({ jobId, bundleUrl: this.link ?? ownLink, sizeBytes: this.sizeBytes }));
                return;
            }
            this.downloads += 1;
            this.archive(request, response);
        };
        this.#scheme = certificate === undefined ? "http" : "https";
        this.#server = certificate === undefined ? createServer(answer) : createTlsServer(certificate, answer);
    }

    /** @param certificate - for serving over HTTPS */
    static async start(certificate?: PrivateCertificate): Promise<PlatformServer> {
        const platform = new PlatformServer(certificate);
        await new Promise<void>((resolve) => platform.#server.listen(0, "127.0.0.1", resolve));
        return platform;
    }

    get url(): string {
        return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    }

    serve(content: Buffer): void {
        const headers = { "content-length": content.length };
        this.archive = (_request, response) => response.writeHead(200, headers).end(content);
    }

    stop(): void {
        this.#server.closeAllConnections();
        this.#server.close();
    }
}

/** Returns `sizeBytes` bytes that begin like a gzip archive, because a mirror checks only the beginning. */
export function archiveOf(sizeBytes: number, fill = 7): Buffer {
    const content = Buffer.alloc(sizeBytes, fill);
    content.set([0x1f, 0x8b]);
    return content;
}
