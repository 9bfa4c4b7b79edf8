import assert from "node:assert/strict";
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo } from "node:net";
import { join } from "node:path";
import { freePort } from "@pulumi-static-export/toolchain";
import { RemoteBuilder } from "../../../service/src/builds/remote-builder.js";
import { readSiteBuild } from "../../../service/src/builds/site-build.js";
import { Command } from "../../cli/support/command.js";
import { withFolder } from "../../sdk/support/files.js";
import { waitUntil } from "../../wait-until.js";
import { skipWithoutSandbox } from "./support/with-build.js";

const key = "builds_5ecret_of_16_characters";
const logger = { info: () => undefined, error: () => undefined };

interface Built {
    readonly files?: string[];
    readonly error?: string;
    readonly lines: string[];
    /** The content of a file in the output. */
    readonly read: (file: string) => string | undefined;
}

interface Given {
    readonly signal?: AbortSignal;
    readonly givenKey?: string;
    readonly onLine?: (line: string) => void;
}

/** Sends a checkout with a script and a link to build workers. */
async function build(
    url: string,
    folder: string,
    command: string,
    { signal = new AbortController().signal, givenKey = key, onLine }: Given = {},
): Promise<Built> {
    const builder = new RemoteBuilder({ dataDir: join(folder, "client"), url, key: givenKey, betweenMs: 100, logger });
    const lines: string[] = [];
    return builder.withFolder("se_1", async (place) => {
        const checkout = join(place, "site");
        await mkdir(join(checkout, "docs"), { recursive: true });
        await mkdir(join(place, "repository"));
        await writeFile(join(checkout, "docs/run"), "#!/bin/sh\necho built > out/index.html\n");
        await chmod(join(checkout, "docs/run"), 0o755);
        await symlink("run", join(checkout, "docs/link"));
        const permission = readSiteBuild("docs.example.com", { command, outputFolder: "out", timeoutSeconds: 30 });
        assert.ok(permission);
        const add = (line: string) => void (lines.push(line), onLine?.(line));
        const request = {
            jobId: "se_1",
            folder: place,
            checkout,
            sourceDir: join(checkout, "docs"),
            signal,
            onLine: add,
        };
        try {
            const output = await builder.run({ ...request, build: permission, cacheName: "docs.example.com" });
            const files = (await readdir(output, { recursive: true })).sort();
            const texts = new Map<string, string>();
            for (const file of files) {
                await readFile(join(output, file), "utf8").then(
                    (text) => texts.set(file, text),
                    () => undefined,
                );
            }
            return { files, lines, read: (file) => texts.get(file) };
        } catch (error) {
            return { error: (error as Error).message, lines, read: () => undefined };
        }
    });
}

describe("A build worker", function () {
    this.timeout(120_000);
    before(skipWithoutSandbox);

    const startWorker = async (folder: string, port: number, concurrency = 2): Promise<Command> => {
        const args = ["work", "--builds", "--builds-listen", `127.0.0.1:${port}`, "--data-dir", join(folder, "worker")];
        const env = { STATIC_EXPORT_BUILDS_KEY: key, TOKEN: "token_5ecret" };
        const worker = new Command([...args, "--concurrency", String(concurrency)], { cwd: folder, env });
        await worker.prints(/Build worker on/);
        return worker;
    };
    const withWorker = (use: (url: string, folder: string, worker: Command) => Promise<void>, concurrency?: number) =>
        withFolder(async (folder) => {
            const port = await freePort();
            const worker = await startWorker(folder, port, concurrency);
            try {
                await use(`http://127.0.0.1:${port}`, folder, worker);
            } finally {
                worker.signal("SIGKILL");
                await worker.exited;
            }
        });

    it("returns the files and the log of a build in its sandbox", async () => {
        await withWorker(async (url, folder) => {
            const command =
                "mkdir -p out/a; ./link; env > out/a/env; ln -s a/env out/b; ln -s /etc/passwd out/c; echo done";
            const { files, lines, read } = await build(url, folder, command);
            assert.deepEqual(files, ["a", "a/env", "b", "index.html"]);
            assert.equal(read("index.html"), "built\n");
            assert.equal(read("b"), read("a/env"));
            assert.doesNotMatch(read("b") ?? "", /5ecret/);
            assert.deepEqual(lines, ["done"]);
            assert.deepEqual(await readdir(join(folder, "worker/builds")), []);
        });
    });

    it("returns the reason of a failed build, and refuses a wrong key", async () => {
        await withWorker(async (url, folder) => {
            assert.equal(
                (await build(url, folder, "echo no page; exit 3")).error,
                "The build exited with code 3. Its log ends with: no page",
            );
            const { error } = await build(url, folder, "true", { givenKey: "another_key_of_16_characters" });
            assert.match(error ?? "", /answered 401: check that it has the same key/);
        });
    });

    it("lets builds wait if it is busy", async () => {
        await withWorker(async (url, folder) => {
            const command = "mkdir out; ./run";
            const built = await Promise.all([1, 2].map((each) => build(url, join(folder, String(each)), command)));
            assert.deepEqual(
                built.map(({ files }) => files),
                [["index.html"], ["index.html"]],
            );
        }, 1);
    });

    it("ends a build whose connection ends", async () => {
        await withWorker(async (url, folder) => {
            const stop = new AbortController();
            const onLine = () => stop.abort(new Error("cancelled"));
            const { error } = await build(url, folder, "echo started; sleep 86322.5", { signal: stop.signal, onLine });
            assert.equal(error, "cancelled");
            await waitUntil(
                "the end of the processes",
                async () => !(await commandLines()).some((line) => line.includes("86322.5")),
            );
            await waitUntil(
                "the removal of the files",
                async () => (await readdir(join(folder, "worker/builds"))).length === 0,
            );
        });
    });

    it("may be killed: the build starts again on the next worker", async () => {
        await withFolder(async (folder) => {
            const port = await freePort();
            let worker = await startWorker(folder, port);
            let restarted: Promise<void> | undefined;
            const onLine = (line: string) => {
                if (line === "started" && restarted === undefined) {
                    worker.signal("SIGKILL");
                    restarted = worker.exited.then(async () => {
                        worker = await startWorker(folder, port);
                    });
                }
            };
            const command = "echo started; test -e ~/.cache/no || sleep 2; mkdir out; ./run";
            const { files, lines, error } = await build(`http://127.0.0.1:${port}`, folder, command, { onLine });
            await restarted;
            worker.signal("SIGKILL");
            assert.equal(error, undefined);
            assert.deepEqual(files, ["index.html"]);
            assert.ok(
                lines.some((line) => /lost.*starts again|cannot be reached.*starts again/.test(line)),
                lines.join(),
            );
        });
    });

    it("runs neither sites nor agents, and needs a key", async () => {
        const env = { STATIC_EXPORT_BUILDS_KEY: "" };
        const { exitCode, stderr } = await new Command(["work", "--builds"], { cwd: ".", env }).exited;
        assert.deepEqual([exitCode, /set the environment variable STATIC_EXPORT_BUILDS_KEY/.test(stderr)], [2, true]);
        const other = await new Command(["work", "--builds", "--site", "docs.example.com=."], {
            cwd: ".",
            env,
        }).exited;
        assert.match(other.stderr, /run --builds without sites/);
    });
});

describe("The answer of a build worker", () => {
    const answerOf = async (frames: string): Promise<string | undefined> => {
        const listener: RequestListener = (request, response) => {
            request.resume();
            request.once("end", () => response.writeHead(200).end(frames));
        };
        const server = createServer(listener).listen(0, "127.0.0.1");
        await new Promise((resolve) => server.once("listening", resolve));
        const { port } = server.address() as AddressInfo;
        try {
            return await withFolderOf((folder) => build(`http://127.0.0.1:${port}`, folder, "true"));
        } finally {
            server.close();
        }
    };

    it("cannot write outside of the output, and is bounded", async () => {
        const end = '{"end":true}\n';
        assert.match((await answerOf(`{"file":"../evil","size":1}\na${end}`)) ?? "", /outside/);
        assert.match((await answerOf(`{"file":"/tmp/evil","size":1}\na${end}`)) ?? "", /outside/);
        assert.match((await answerOf(`{"file":"a","size":1}\na{"file":"a","size":1}\na${end}`)) ?? "", /EEXIST/);
        assert.match((await answerOf(`{"file":"a","size":5000000000}\n`)) ?? "", /sent more than the build may write/);
        assert.match((await answerOf("x".repeat(70_000))) ?? "", /too long/);
        assert.match((await answerOf('{"line":"a"}\n')) ?? "", /connection to the build worker was lost/);
    });
});

async function withFolderOf(use: (folder: string) => Promise<Built>): Promise<string | undefined> {
    let error: string | undefined;
    await withFolder(async (folder) => {
        ({ error } = await use(folder));
    });
    return error;
}

async function commandLines(): Promise<string[]> {
    const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    return Promise.all(processes.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
}
