import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";

const types: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

export interface ServedSite {
    readonly url: string;
    /** The requests since the start, with the size of each response's body, uncompressed and as nginx compresses it. */
    readonly served: { readonly path: string; readonly bytes: number; readonly gzipBytes: number }[];
}

/** Serves a folder on loopback, uncompressed, and allows pages to load only files from there. */
export async function withServedSite<T>(folder: string, use: (site: ServedSite) => Promise<T>): Promise<T> {
    const served: { path: string; bytes: number; gzipBytes: number }[] = [];
    const server = createServer((request, response) => {
        void (async () => {
            const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
            const file = join(folder, path);
            const content = await readFile(file);
            served.push({ path, bytes: content.length, gzipBytes: gzipSync(content, { level: 5 }).length });
            response.writeHead(200, {
                "Content-Type": types[extname(file)] ?? "application/octet-stream",
                "Content-Security-Policy":
                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:",
            });
            response.end(content);
        })().catch(() => {
            if (!response.headersSent) {
                response.writeHead(404);
            }
            response.end();
        });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
        return await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, served });
    } finally {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
    }
}
