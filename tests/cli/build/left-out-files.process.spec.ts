import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run, withFolder } from "../support/command.js";

describe("The build of a finished site", function () {
    this.timeout(60_000);

    it("lists the hidden and secret entries that it leaves out, also as JSON, and not as warnings", async () => {
        await withFolder(async (folder) => {
            const site = join(folder, "public");
            await mkdir(join(site, "node_modules"), { recursive: true });
            await mkdir(join(site, ".well-known"));
            for (const name of ["index.html", ".env", "id_rsa", ".well-known/security.txt"]) {
                await writeFile(join(site, name), "<h1>Home</h1>");
            }
            const { stdout, exitCode } = await run(folder, ["build", "public", "--strict"]);
            assert.equal(exitCode, 0, stdout);
            assert.match(stdout, /^left out {2}3 hidden or secret entries: "\.env", "id_rsa", "node_modules\/"$/m);
            const json = JSON.parse((await run(folder, ["build", "public", "--json"])).stdout) as object;
            assert.deepEqual((json as { leftOut?: unknown }).leftOut, {
                count: 3,
                first: [".env", "id_rsa", "node_modules/"],
            });
        });
    });

    it("lists nothing if it publishes all files", async () => {
        await withFolder(async (folder) => {
            await mkdir(join(folder, "public"));
            await writeFile(join(folder, "public/index.html"), "<h1>Home</h1>");
            const { stdout } = await run(folder, ["build", "public"]);
            assert.doesNotMatch(stdout, /left out/);
        });
    });
});
