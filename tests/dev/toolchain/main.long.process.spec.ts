import assert from "node:assert/strict";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { cachedBinary } from "../../../dev/toolchain/src/cache/cache.js";
import { goTools } from "../../../dev/toolchain/src/cache/tools.js";
import { runScript, Sandbox } from "./support.js";

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
});
