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

    it("lists the cached tools with their locations, and the build time of the other tools", async () => {
        const binary = await putInCache();
        const { stdout } = await runScript(main, ["list"]);
        const lines = stdout.trimEnd().split("\n");

        assert.equal(lines[0], `Cache: ${path.join(sandbox.folder, "cache")}`);
        assert.match(stdout, new RegExp(`^versitygw +1\\.8\\.0 +${binary}$`, "m"));
        assert.match(stdout, /^helm +4\.3\.1 +not cached, about 1\.2 min to build$/m);
        assert.equal(lines.length, 1 + Object.keys(goTools).length);
    });

    it("installs the requested tools", async () => {
        const binary = await putInCache();
        const { stdout } = await runScript(main, ["get", "versitygw"]);
        assert.match(stdout, new RegExp(`^versitygw +${binary}\n$`));
    });

    it("explains in one sentence, without a stack trace, why a tool is not available", async () => {
        await assert.rejects(runScript(main, ["get", "versitygw"]), (error: { code: number; stderr: string }) => {
            assert.equal(error.code, 1);
            assert.match(
                error.stderr,
                /^Building .*\nCannot get versitygw 1\.8\.0: Go is not installed\. .*again\.\n$/,
            );
            return true;
        });
    });

    it("stops a build on Ctrl-C and leaves no partial build behind", async () => {
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

    it("rejects an unknown tool, and lists the known tools", async () => {
        await assert.rejects(runScript(main, ["get", "kubectl"]), (error: { code: number; stderr: string }) => {
            assert.equal(error.code, 2);
            assert.match(error.stderr, /^There is no tool "kubectl"\.\n\nUsage: /);
            assert.match(error.stderr, /^Tools: pulumi, /m);
            return true;
        });
    });
});
