import { readFile, writeFile } from "node:fs/promises";
import { createServer, request as ask } from "node:http";
import { type AddressInfo } from "node:net";
import { extname, join } from "node:path";

const types: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

export interface DeployedSite {
    readonly url: string;
    /** The paths of the requests, in order. */
    readonly paths: string[];
}

/**
 * Serves an exported site like the chart's pods: pages at addresses without `.html`, the deployment's features, and the
 * assistant at the site's own address. Pages may not load files from other hosts, or run inline scripts.
 *
 * @param assistant - the address of a server with an assistant; undefined for a deployment without one
 */
export async function withDeployedSite(
    outDir: string,
    assistant: string | undefined,
    use: (site: DeployedSite) => Promise<void>,
): Promise<void> {
    const features = JSON.stringify(assistant === undefined ? {} : { aiAssistant: true, mcp: true });
    await writeFile(join(outDir, "static-export/features.js"), `window.staticExportFeatures=${features};\n`);
    const paths: string[] = [];
    const server = createServer((request, response) => {
        const { method, headers, url = "/" } = request;
        const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
        paths.push(path);
        if (assistant !== undefined && path.startsWith("/v2/")) {
            const passed = ask(assistant + url, { method, headers }, (answer) => {
                response.writeHead(answer.statusCode ?? 502, answer.headers);
                answer.pipe(response);
            });
            passed.on("error", () => response.destroy());
            response.on("close", () => passed.destroy());
            request.pipe(passed);
            return;
        }
        const file = path.endsWith("/") ? `${path}index.html` : extname(path) === "" ? `${path}.html` : path;
        readFile(join(outDir, file)).then(
            (content) => {
                response.writeHead(200, {
                    "Content-Type": types[extname(file)] ?? "application/octet-stream",
                    "Content-Security-Policy":
                        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
                        "img-src 'self' data:; connect-src 'self'",
                });
                response.end(content);
            },
            () => response.writeHead(404).end(),
        );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
        await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths });
    } finally {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
    }
}
