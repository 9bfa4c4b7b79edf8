import assert from "node:assert/strict";
import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { cachedBinary } from "../../../dev/toolchain/src/cache/cache.js";
import { goTools } from "../../../dev/toolchain/src/cache/tools.js";
import { fileAppears, hasEnded, runScript, Sandbox } from "./support.js";

const main = fileURLToPath(new URL("../../../dev/toolchain/src/main.ts", import.meta.url));

describe("npm run toolchain", () => {
    const sandbox = Sandbox.use();
    const { versitygw } = goTools;
    const putInCache = async () => {
        const binary = cachedBinary(versitygw);
        await mkdir(path.dirname(binary), { recursive: true });
        await writeFile(binary, "");
        await chmod(binary, 0o755);
        return binary;
    };

    it("lists what is cached and where, and how long the rest takes to build", async () => {
        const binary = await putInCache();
        const { stdout } = await runScript(main, ["list"]);
        const lines = stdout.trimEnd().split("\n");

        assert.equal(lines[0], `Cache: ${path.join(sandbox.folder, "cache")}`);
        assert.match(stdout, new RegExp(`^versitygw +1\\.8\\.0 +${binary}$`, "m"));
        assert.match(stdout, /^helm +4\.3\.1 +not cached, about 1\.2 min to build$/m);
        assert.equal(lines.length, 1 + Object.keys(goTools).length);
    });

    it("gets the requested tools", async () => {
        const binary = await putInCache();
        const { stdout } = await runScript(main, ["get", "versitygw"]);
        assert.match(stdout, new RegExp(`^versitygw +${binary}\n$`));
    });

    it("explains in a sentence, without a stack, why a tool is not available", async () => {
        await assert.rejects(runScript(main, ["get", "versitygw"]), (error: { code: number; stderr: string }) => {
            assert.equal(error.code, 1);
            assert.match(
                error.stderr,
                /^Building .*\nCannot get versitygw 1\.8\.0: Go is not installed\. .*again\.\n$/,
            );
            return true;
        });
    });

    it("stops a build on Ctrl-C and leaves nothing half-built", async () => {
        const pidFile = await sandbox.endlessGo();
        const started = fileAppears(pidFile);
        const getting = runScript(main, ["get", "versitygw"]);
        const failed = assert.rejects(getting, (error: { code: number; stderr: string }) => {
            assert.equal(error.code, 1);
            assert.match(error.stderr, /\nInterrupted by SIGINT\.\n$/);
            return true;
        });
        await started;
        getting.child.kill("SIGINT");

        await failed;
        assert.ok(await hasEnded(pidFile));
        assert.deepEqual(await readdir(sandbox.tools), []);
    });

    it("refuses an unknown tool, and lists the known ones", async () => {
        await assert.rejects(runScript(main, ["get", "kubectl"]), (error: { code: number; stderr: string }) => {
            assert.equal(error.code, 2);
            assert.match(error.stderr, /^There is no tool "kubectl"\.\n\nUsage: /);
            assert.match(error.stderr, /^Tools: pulumi, /m);
            return true;
        });
    });
});
