import { type ChildProcess, spawn } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { buffer } from "node:stream/consumers";
import {
    cacheFolder,
    ensureDebianPackages,
    ensurePythonPrograms,
    freePort,
    type PythonTool,
    run,
} from "@pulumi-static-export/toolchain";

const verdaccio = "6.1.6";
const pypiserver: PythonTool = { name: "pypiserver", version: "2.4.2" };

/** A server on this machine in place of a public registry. */
export interface Registry {
    readonly url: string;
    stop(): Promise<void>;
}

export async function startNpmRegistry(folder: string): Promise<Registry> {
    const port = await freePort();
    const config = join(folder, "verdaccio.json");
    mkdirSync(folder, { recursive: true });
    // YAML contains JSON.
    writeFileSync(
        config,
        JSON.stringify({
            storage: join(folder, "packages"),
            auth: { htpasswd: { file: join(folder, "htpasswd") } },
            packages: { "**": { access: "$all", publish: "$all" } },
            log: { type: "stdout", format: "json", level: "warn" },
        }),
    );
    const server = join(await ensureVerdaccio(), "node_modules", "verdaccio", "bin", "verdaccio");
    return start(process.execPath, [server, "--config", config, "--listen", `127.0.0.1:${port}`], port);
}

/** Installs verdaccio into the cache, next to the other packages that specs install. */
async function ensureVerdaccio(): Promise<string> {
    const folder = join(cacheFolder(), "npm", `verdaccio-${verdaccio}`);
    if (!existsSync(join(folder, "complete"))) {
        mkdirSync(folder, { recursive: true });
        // One of the package's libraries requests a dist-tag of node-fetch that mirrors lack.
        writeFileSync(join(folder, "package.json"), '{ "private": true, "overrides": { "node-fetch": "2.7.0" } }\n');
        const options = ["--ignore-scripts", "--no-audit", "--no-fund"];
        await run("npm", ["install", ...options, `verdaccio@${verdaccio}`], { cwd: folder });
        writeFileSync(join(folder, "complete"), "");
    }
    return folder;
}

/** Starts a Python registry that accepts packages without a password. */
export async function startPythonRegistry(folder: string): Promise<Registry> {
    const bin = await ensurePythonPrograms(pypiserver);
    const port = await freePort();
    mkdirSync(folder, { recursive: true });
    const args = ["run", "--interface", "127.0.0.1", "--port", String(port), "-P", ".", "-a", ".", folder];
    return start(join(bin, "pypi-server"), args, port);
}

/** Of OCI artifacts. */
export async function startChartRegistry(folder: string): Promise<Registry> {
    await ensureDebianPackages(["docker-registry"]);
    const port = await freePort();
    mkdirSync(folder, { recursive: true });
    const config = join(folder, "config.yml");
    writeFileSync(
        config,
        JSON.stringify({
            version: "0.1",
            log: { level: "error", accesslog: { disabled: true } },
            storage: { filesystem: { rootdirectory: join(folder, "data") } },
            http: { addr: `127.0.0.1:${port}` },
        }),
    );
    return start("docker-registry", ["serve", config], port);
}

/**
 * Replaces Maven Central's portal, which receives bundles, and its repository, which serves their files. Rejects files
 * without a signature.
 *
 * @param folder - the repository
 */
export async function startMavenRegistry(folder: string): Promise<Registry> {
    const errors: string[] = [];
    mkdirSync(folder, { recursive: true });
    const publish = async (request: IncomingMessage): Promise<string> => {
        const headers = { "content-type": request.headers["content-type"] ?? "" };
        const form = await new Response(await buffer(request), { headers }).formData();
        const bundle = join(folder, "bundle.zip");
        writeFileSync(bundle, Buffer.from(await (form.get("bundle") as File).arrayBuffer()));
        await run("jar", ["--extract", "--file", bundle], { cwd: folder });
        const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
        errors.push(
            ...names
                .filter((name) => /\.(jar|pom)$/.test(name) && !names.includes(`${name}.asc`))
                .map((name) => `Missing signature for file: ${basename(name)}`),
        );
        return "deployment";
    };
    const deployment = () => JSON.stringify({ deploymentState: errors.length > 0 ? "FAILED" : "PUBLISHED", errors });
    return startServer(async (request, response) => {
        const { pathname } = new URL(request.url ?? "", "http://localhost");
        if (request.method === "POST") {
            response.end(pathname.endsWith("/upload") ? await publish(request) : deployment());
            return;
        }
        sendFile(join(folder, pathname), response);
    });
}

/** Creates a gpg key that signs for {@link startMavenRegistry}. `stop` ends gpg's agent. */
export async function createSigningKey(folder: string): Promise<{ readonly folder: string; stop(): Promise<void> }> {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const key = ["--quick-gen-key", "rehearsal", "ed25519", "sign", "never"];
    await run("gpg", ["--homedir", folder, "--batch", "--quiet", "--passphrase", "", ...key]);
    return { folder, stop: async () => void (await run("gpgconf", ["--homedir", folder, "--kill", "all"])) };
}

/** Serves the files of a folder, as GitHub serves a release's files. */
export async function startFileServer(folder: string): Promise<Registry> {
    return startServer((request, response) => sendFile(join(folder, basename(request.url ?? "")), response));
}

async function startServer(
    answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<Registry> {
    const server = createServer((request, response) => {
        void Promise.resolve(answer(request, response)).catch((error: unknown) =>
            response.writeHead(500).end(String(error)),
        );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        stop: () => new Promise((resolve) => void server.close(() => resolve())),
    };
}

function sendFile(file: string, response: ServerResponse): void {
    if (!existsSync(file)) {
        response.writeHead(404).end();
        return;
    }
    // Pulumi checks the length of the download.
    response.writeHead(200, { "content-length": statSync(file).size });
    createReadStream(file).pipe(response);
}

async function start(command: string, args: readonly string[], port: number): Promise<Registry> {
    const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => void (errors += text));
    const ended = new Promise<void>((resolve) => child.on("error", () => resolve()).on("close", () => resolve()));
    const url = `http://127.0.0.1:${port}`;
    await answers(url, child, () => errors);
    return {
        url,
        stop: async () => {
            child.kill();
            await ended;
        },
    };
}

async function answers(url: string, child: ChildProcess, errors: () => string): Promise<void> {
    for (let attempt = 0; attempt < 600; attempt++) {
        if (child.exitCode !== null || child.pid === undefined) {
            throw new Error(`${child.spawnfile} ended: ${errors()}`);
        }
        const response = await fetch(url).catch(() => undefined);
        await response?.body?.cancel();
        if (response !== undefined) {
            return;
        }
        await new Promise((resolve) => setTimeout(resolve, 200));
    }
    child.kill();
    throw new Error(`${child.spawnfile} does not answer: ${errors()}`);
}
