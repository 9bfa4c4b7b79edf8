import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { cachedBinary, toolFolder } from "../../../dev/toolchain/src/cache/cache.js";
import { ensurePulumi } from "../../../dev/toolchain/src/pulumi.js";
import { goTools } from "../../../dev/toolchain/src/cache/tools.js";
import { fileAppears, fixture, hasEnded, Sandbox } from "./support.js";

const { pulumi: engine, "pulumi-language-nodejs": languageHost } = goTools;
const quiet = { onProgress: () => undefined };

describe("ensurePulumi", () => {
    const sandbox = Sandbox.use();
    beforeEach(() => {
        process.env["NODE_OPTIONS"] = `--require=${fixture("offline.cjs")}`;
    });

    it("prefers a Pulumi on PATH to a downloaded or built Pulumi", async () => {
        const command = await sandbox.script("pulumi", "echo v3.300.0");
        await putInCache(path.join(toolFolder("pulumi-official", engine.version), "bin", "pulumi"));
        await putInCache(cachedBinary(engine), cachedBinary(languageHost));

        const { env, ...found } = await ensurePulumi(quiet);
        assert.deepEqual(found, { command, version: "3.300.0", source: "path" });
        assert.equal(env["PULUMI_SKIP_UPDATE_CHECK"], "true");
    });

    it("skips a Pulumi on PATH that is too old", async () => {
        await sandbox.script("pulumi", "echo v3.215.0");
        await putInCache(cachedBinary(engine), cachedBinary(languageHost));

        const { command, source } = await ensurePulumi(quiet);
        assert.equal(command, cachedBinary(engine));
        assert.equal(source, "build");
    });

    it("installs the language host and the dynamic provider host next to the built engine", async () => {
        await putInCache(cachedBinary(engine), cachedBinary(languageHost));
        const { command } = await ensurePulumi(quiet);

        const folder = path.dirname(command);
        assert.deepEqual((await readdir(folder)).sort(), [
            "pulumi",
            "pulumi-language-nodejs",
            "pulumi-resource-pulumi-nodejs",
        ]);
        const languageHostOutput = execFileSync(path.join(folder, "pulumi-language-nodejs"), { encoding: "utf8" });
        assert.equal(languageHostOutput, "pulumi-language-nodejs\n");
        assert.equal((await stat(path.join(folder, "pulumi-resource-pulumi-nodejs"))).mode & 0o111, 0o111);
    });

    it("reports in one sentence why each attempt failed, and suggests a fix", async () => {
        await assert.rejects(ensurePulumi(quiet), (error: Error) => {
            assert.equal(
                error.message.replace(/https:[^:]*/, "<address>"),
                `Cannot get pulumi ${engine.version}: none is on PATH, the official download failed ` +
                    "(Failed to download <address>: fetch failed), and Go is not installed. " +
                    "Install Go 1.26 or later, or put pulumi 3.216.0 or later on PATH.",
            );
            return true;
        });
        assert.deepEqual(await readdir(sandbox.tools), [], "a failed download leaves nothing");
    });

    it("stops a download and leaves no partial files behind if it is aborted", async () => {
        const pidFile = path.join(sandbox.folder, "download.pid");
        process.env["NODE_OPTIONS"] = `--require=${fixture("endless-download.cjs")}`;
        process.env["DOWNLOAD_PID_FILE"] = pidFile;
        const abort = new AbortController();
        const started = fileAppears(pidFile);
        const ensuring = ensurePulumi({ ...quiet, signal: abort.signal });
        ensuring.catch(() => undefined);
        await started;

        const reason = new Error("enough");
        abort.abort(reason);

        await assert.rejects(ensuring, reason);
        assert.ok(await hasEnded(pidFile));
        assert.deepEqual(await readdir(sandbox.tools), []);
    });

    describe("with STATIC_EXPORT_PULUMI", () => {
        it("tries only the requested source", async () => {
            await sandbox.script("pulumi", "echo v3.300.0");
            await putInCache(cachedBinary(engine), cachedBinary(languageHost));
            process.env["STATIC_EXPORT_PULUMI"] = "build";
            assert.equal((await ensurePulumi(quiet)).source, "build");
        });

        it("fails if the requested source has no Pulumi, without trying another source", async () => {
            await putInCache(cachedBinary(engine), cachedBinary(languageHost));
            process.env["STATIC_EXPORT_PULUMI"] = "path";
            await assert.rejects(
                ensurePulumi(quiet),
                /^ToolUnavailableError: Cannot get pulumi 3\.274\.1: none is on PATH\. /,
            );
        });
    });
});

/** Writes fake programs to the cache instead of a download or a build; each prints its name. */
async function putInCache(...files: string[]): Promise<void> {
    for (const file of files) {
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, `#!/bin/sh\necho ${path.basename(file)}\n`);
        await chmod(file, 0o755);
    }
}
