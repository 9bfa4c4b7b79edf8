import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

const types: Record<string, string> = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
};
const compressible = /\.(?:html|css|m?js|json|svg|wasm)$/;

/** Serves a built site as a typical web server does: compressed, and with addresses without .html. */
export class StaticServer {
    private constructor(private readonly server: Server) {}

    static async start(folder: string): Promise<StaticServer> {
        const server = createServer((request, response) => {
            const { pathname } = new URL(request.url ?? "/", "http://localhost");
            void find(join(folder, normalize(decodeURIComponent(pathname)))).then((found) => {
                if (found === undefined) {
                    response.writeHead(404).end();
                    return;
                }
                const type = types[extname(found.file)] ?? "application/octet-stream";
                const isCompressed = compressible.test(found.file);
                response.writeHead(200, {
                    "content-type": type,
                    ...(isCompressed ? { "content-encoding": "gzip" } : {}),
                });
                response.end(isCompressed ? gzipSync(found.content) : found.content);
            });
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        return new StaticServer(server);
    }

    url(path: string): string {
        return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
    }

    stop(): void {
        this.server.closeAllConnections();
        this.server.close();
    }
}

async function find(path: string): Promise<{ file: string; content: Buffer } | undefined> {
    for (const file of [path, `${path}.html`, join(path, "index.html")]) {
        const content = await readFile(file).catch(() => undefined);
        if (content !== undefined) {
            return { file, content };
        }
    }
    return undefined;
}
