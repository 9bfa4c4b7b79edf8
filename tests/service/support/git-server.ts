import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { hostInUrl } from "@pulumi-static-export/toolchain";

const run = promisify(execFile);

/**
 * A git host that serves one repository over HTTP with git's own server program. Specs add commits to the repository.
 */
export class GitServer {
    /** The `Authorization` headers of all requests. */
    readonly authorizations: (string | undefined)[] = [];
    /** The connection breaks off after this many bytes of a response. */
    breakAfterBytes = Infinity;
    /** Called for each request before it is answered. */
    onRequest: (path: string) => void = () => undefined;
    readonly #folder: string;
    readonly #server: Server;
    readonly #password: string | undefined;

    private constructor(folder: string, password: string | undefined) {
        this.#folder = folder;
        this.#password = password;
        this.#server = createServer((request, response) => this.#answer(request, response));
    }

    /** @param password - the required `user:password`; none if undefined */
    static async start({
        host = "127.0.0.1",
        password,
    }: { host?: string; password?: string } = {}): Promise<GitServer> {
        const folder = await mkdtemp(join(tmpdir(), "git-server-"));
        const server = new GitServer(folder, password);
        await run("git", ["init", "--quiet", "--initial-branch=main", server.workTree]);
        await server.git("config", "http.receivepack", "true");
        await server.git("config", "uploadpack.allowFilter", "true");
        await once(server.#server.listen(0, host), "listening");
        return server;
    }

    get origin(): string {
        const { address, port } = this.#server.address() as AddressInfo;
        return `http://${hostInUrl(address)}:${port}`;
    }

    get url(): string {
        return `${this.origin}/acme/docs.git`;
    }

    /** Returns the folder of the repository's files. */
    get workTree(): string {
        return join(this.#folder, "docs");
    }

    /** Writes files, and commits all changes. @param date - the author's date @returns the commit */
    async commit(files: Readonly<Record<string, string>>, date = "now"): Promise<string> {
        for (const [name, text] of Object.entries(files)) {
            await mkdir(dirname(join(this.workTree, name)), { recursive: true });
            await writeFile(join(this.workTree, name), text);
        }
        const author = ["-c", "user.name=author", "-c", "user.email=author@example.com"];
        await this.git("add", "--all");
        await this.git(...author, "commit", "--quiet", `--date=${date}`, "--message=Change");
        return (await this.git("rev-parse", "HEAD")).trim();
    }

    /** Replaces all commits with a single commit of the same files, so that the old commits are gone. */
    async rewriteHistory(): Promise<void> {
        const author = ["-c", "user.name=author", "-c", "user.email=author@example.com"];
        const tree = (await this.git("rev-parse", "HEAD^{tree}")).trim();
        const commit = (await this.git(...author, "commit-tree", tree, "-m", "Rewritten")).trim();
        await this.git("reset", "--quiet", "--hard", commit);
        await this.git("reflog", "expire", "--expire=now", "--all");
        await this.git("gc", "--quiet", "--prune=now");
    }

    async git(...args: string[]): Promise<string> {
        return (await run("git", ["-C", this.workTree, ...args])).stdout;
    }

    dropConnections(): void {
        this.#server.closeAllConnections();
    }

    async stop(): Promise<void> {
        this.dropConnections();
        this.#server.close();
        await rm(this.#folder, { recursive: true, force: true });
    }

    #answer(request: IncomingMessage, response: ServerResponse): void {
        const { authorization } = request.headers;
        this.authorizations.push(authorization);
        this.onRequest(request.url ?? "/");
        if (
            this.#password !== undefined &&
            authorization !== `Basic ${Buffer.from(this.#password).toString("base64")}`
        ) {
            response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
            return;
        }
        const { pathname, searchParams } = new URL(request.url ?? "/", this.origin);
        const program = spawn("git", ["http-backend"], {
            env: {
                PATH: process.env["PATH"],
                GIT_HTTP_EXPORT_ALL: "1",
                GIT_PROJECT_ROOT: join(this.workTree, ".git"),
                PATH_INFO: pathname.replace("/acme/docs.git", ""),
                QUERY_STRING: searchParams.toString(),
                REQUEST_METHOD: request.method,
                CONTENT_TYPE: request.headers["content-type"],
                HTTP_CONTENT_ENCODING: request.headers["content-encoding"],
                GIT_PROTOCOL: request.headers["git-protocol"]?.toString(),
            },
            stdio: ["pipe", "pipe", "ignore"],
        });
        request.pipe(program.stdin.on("error", () => undefined));
        void relay(program.stdout, response, this.breakAfterBytes);
    }
}

/** Relays the response of a CGI program: headers, an empty line and the body. */
async function relay(output: AsyncIterable<Buffer>, response: ServerResponse, breakAfterBytes: number): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of output) {
        chunks.push(chunk);
    }
    const answer = Buffer.concat(chunks);
    const end = answer.indexOf("\r\n\r\n");
    const headers = answer.subarray(0, end).toString().split("\r\n");
    let status = 200;
    for (const header of headers) {
        const [name = "", value = ""] = header.split(/: (.*)/s, 2);
        if (name === "Status") {
            status = Number.parseInt(value, 10);
        } else {
            response.setHeader(name, value);
        }
    }
    const body = answer.subarray(end + 4);
    response.writeHead(status);
    if (body.length > breakAfterBytes) {
        response.write(body.subarray(0, breakAfterBytes), () => response.destroy());
    } else {
        response.end(body);
    }
}
