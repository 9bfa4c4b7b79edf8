import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import assert from "node:assert/strict";
import { commands } from "../../../cli/src/run-cli.js";

describe("The static-export commands", () => {
    it("are registered under their own names", async () => {
        const names = await Promise.all(Object.values(commands).map(async (load) => (await load()).name));
        assert.deepEqual(names, Object.keys(commands));
    });

    it("are listed in groups, and a call without a command prints only the first steps", () => {
        const bin = fileURLToPath(new URL("../../../cli/bin/static-export.js", import.meta.url));
        const [help, bare] = [["--help"], []].map((args) =>
            spawnSync(process.execPath, [bin, ...args], { encoding: "utf8" }),
        );
        const groups = [...help!.stdout.matchAll(/^(\w.*):$/gm)].map(([, heading]) => heading);
        const known = ["Write and check pages", "Publish pages", "Pulumi projects", "Run a service", "Use a service"];
        assert.deepEqual(groups, ["Options", "Start a project", ...known, "This command"]);
        assert.deepEqual([bare!.status, bare!.stdout, bare!.stderr.split("\n").length < 12], [2, "", true]);
    });
});
