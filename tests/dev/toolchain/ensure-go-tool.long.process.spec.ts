import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdir, readdir, utimes } from "node:fs/promises";
import path from "node:path";
import { ToolUnavailableError } from "../../../dev/toolchain/src/running/errors.js";
import which from "which";
import { cachedBinary } from "../../../dev/toolchain/src/cache/cache.js";
import { ensureGoTool } from "../../../dev/toolchain/src/ways/ensure-go-tool.js";
import { withLock } from "../../../dev/toolchain/src/cache/lock.js";
import { fileAppears, fixture, fixtureTool, hasEnded, realPath, runScript, Sandbox } from "./support.js";

const hello = fixtureTool("hello");

describe("ensureGoTool", function () {
    // With a cold build cache, Go's standard library is compiled first.
    this.timeout(120_000);
    const sandbox = Sandbox.use();

    describe("with Go installed", () => {
        before(async function () {
            if ((await which("go", { nothrow: true })) === null) {
                this.skip();
            }
        });
        beforeEach(() => {
            process.env["PATH"] = realPath;
        });

        it("builds the tool with its version linked in, and stores it in the cache", async () => {
            const binary = await ensureGoTool(hello, { onProgress: () => undefined });

            const platform = `${process.platform}-${process.arch}`;
            assert.equal(binary, path.join(sandbox.tools, `hello-1.2.3-${platform}`, "hello"));
            assert.equal(execFileSync(binary, { encoding: "utf8" }), "hello 1.2.3");
        });

        it("installs the script that a tool expects next to its binary", async () => {
            const script = { module: "example.local/hello", path: "main.go" };
            const binary = await ensureGoTool({ ...hello, script }, { onProgress: () => undefined });
            accessSync(path.join(path.dirname(binary), "main.go"), constants.X_OK);
        });

        it("prints the expected build time at the start, and the actual build time at the end", async () => {
            const lines: string[] = [];
            await ensureGoTool(hello, { onProgress: (line) => lines.push(line) });

            assert.equal(lines.length, 2);
            assert.equal(lines[0], "Building hello 1.2.3 with Go, once; takes about 6 s on two cores.");
            assert.match(lines[1]!, /^Built hello 1\.2\.3 in \d+ s\.$/);
        });

        it("returns the cached tool silently and without Go", async () => {
            const built = await ensureGoTool(hello, { onProgress: () => undefined });
            process.env["PATH"] = sandbox.bin;

            const lines: string[] = [];
            assert.equal(await ensureGoTool(hello, { onProgress: (line) => lines.push(line) }), built);
            assert.deepEqual(lines, []);
        });

        it("builds once for two concurrent processes", async () => {
            const runs = await Promise.all([1, 2].map(() => runScript(fixture("ensure-hello.ts"))));

            assert.equal(runs[0]!.stdout, runs[1]!.stdout);
            const reported = runs.map(({ stderr }) => stderr).join("");
            assert.equal(reported.match(/^Building hello/gm)?.length, 1, reported);
        });

        it("reports that it waits while another process builds, and then uses that build", async () => {
            const binary = cachedBinary(hello);
            const lockPath = `${path.dirname(binary)}.lock`;
            await mkdir(sandbox.tools, { recursive: true });

            const lines: string[] = [];
            let waiting: Promise<string> | undefined;
            await withLock(lockPath, { onWait: assert.fail, signal: undefined }, async () => {
                await new Promise<void>((resolve) => {
                    const onProgress = (line: string) => {
                        lines.push(line);
                        resolve();
                    };
                    waiting = ensureGoTool(hello, { onProgress });
                });
                execFileSync("mkdir", ["-p", path.dirname(binary)]);
                execFileSync("cp", ["/bin/true", binary]);
            });

            assert.equal(await waiting, binary);
            assert.deepEqual(lines, [
                `Waiting for another process that is building hello 1.2.3 (it holds ${lockPath}).`,
            ]);
        });

        it("takes over from a killed process, and removes its leftovers", async () => {
            const folder = path.dirname(cachedBinary(hello));
            const leftover = path.join(sandbox.tools, `.${path.basename(folder)}.partial-killed`);
            await mkdir(path.join(leftover, "scratch"), { recursive: true });
            await mkdir(`${folder}.lock`);
            const longAgo = new Date(Date.now() - 60_000);
            await utimes(`${folder}.lock`, longAgo, longAgo);

            await ensureGoTool(hello, { onProgress: () => undefined });

            assert.deepEqual(await readdir(sandbox.tools), [path.basename(folder)]);
        });

        it("shows the end of the compiler's output if the tool does not compile", async () => {
            await assert.rejects(ensureGoTool(fixtureTool("broken"), { onProgress: () => undefined }), (error) => {
                assert.ok(error instanceof ToolUnavailableError);
                assert.match(error.message, /^Cannot get broken 1\.2\.3: .* failed while compiling it\. /);
                assert.match(error.message, /undefined: nonsense$/);
                return true;
            });
            assert.deepEqual(await readdir(sandbox.tools), []);
        });

        it("reports that modules could not be downloaded without a network", async () => {
            process.env["GOPROXY"] = "off";
            await assert.rejects(
                ensureGoTool(fixtureTool("unreachable"), { onProgress: () => undefined }),
                /^ToolUnavailableError: Cannot get unreachable 1\.2\.3: .* failed while downloading its Go modules\. /,
            );
            assert.deepEqual(await readdir(sandbox.tools), []);
        });
    });

    it("reports that Go is missing, and suggests a fix", async () => {
        await assert.rejects(ensureGoTool(hello, { onProgress: () => undefined }), {
            name: "ToolUnavailableError",
            message: "Cannot get hello 1.2.3: Go is not installed. Install Go 1.26 or later, then run this again.",
        });
    });

    it("stops Go and leaves no partial build behind if it is aborted", async () => {
        const pidFile = await sandbox.endlessGo();
        const abort = new AbortController();
        const started = fileAppears(pidFile);
        const building = ensureGoTool(hello, { onProgress: () => undefined, signal: abort.signal });
        building.catch(() => undefined);
        await started;

        const reason = new Error("enough");
        abort.abort(reason);

        await assert.rejects(building, reason);
        assert.ok(await hasEnded(pidFile));
        assert.deepEqual(await readdir(sandbox.tools), []);
    });

    it("leaves no partial build behind if its process is interrupted without a handler", async () => {
        const started = fileAppears(await sandbox.endlessGo());
        const run = runScript(fixture("ensure-hello.ts"));
        const interrupted = assert.rejects(run, { signal: "SIGINT" });
        await started;
        run.child.kill("SIGINT");

        await interrupted;
        assert.deepEqual(await readdir(sandbox.tools), []);
    });

    it("stops waiting for another process if it is aborted", async () => {
        await mkdir(sandbox.tools, { recursive: true });
        const lockPath = `${path.dirname(cachedBinary(hello))}.lock`;
        await withLock(lockPath, { onWait: assert.fail, signal: undefined }, async () => {
            const abort = new AbortController();
            const reason = new Error("enough");
            const onProgress = () => abort.abort(reason);
            await assert.rejects(ensureGoTool(hello, { onProgress, signal: abort.signal }), reason);
        });
    });
});
