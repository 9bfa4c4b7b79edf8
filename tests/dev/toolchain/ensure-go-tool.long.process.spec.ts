import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, readdir, utimes } from "node:fs/promises";
import path from "node:path";
import { ToolUnavailableError } from "../../../dev/toolchain/src/running/errors.js";
import which from "which";
import { cachedBinary } from "../../../dev/toolchain/src/cache/cache.js";
import { ensureGoTool } from "../../../dev/toolchain/src/ways/ensure-go-tool.js";
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
});
