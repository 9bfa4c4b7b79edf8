import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { prepareCommand } from "../../../service/src/builds/build-script.js";
import { withFolder, writeFiles } from "../../exporter/support/site-fixture.js";

type Settings = Parameters<typeof prepareCommand>[0];

const say = (text: string) => `#!/bin/sh\necho ${text}\n`;

async function reportOf(settings: Settings): Promise<string[]> {
    let lines: string[] = [];
    await withFolder(async (folder) => {
        const root = join(folder, "site");
        await writeFiles(folder, {
            "bin/node": say("v24.1.0"),
            "bin/python3": say("Python 3.11.2"),
            "site/.nvmrc": "lts/-1$(id)'\\n",
            "site/.python-version": "3.13t",
        });
        await Promise.all(["node", "python3"].map((name) => chmod(join(folder, "bin", name), 0o755)));
        const command = prepareCommand(settings, { base: root, root }) ?? "";
        const { stdout, stderr } = spawnSync("/bin/sh", ["-e", "-c", command], {
            env: { PATH: join(folder, "bin") },
            encoding: "utf8",
        });
        lines = `${stdout}${stderr}`.split("\n").slice(0, -1);
    });
    return lines;
}

describe("The versions that a build does not know", () => {
    const node = String.raw`"lts/-1$(id)'\\n" in .nvmrc is not a version that builds know, such as 24 or lts/jod: `;
    const python = '"3.13t" in .python-version is not a version that builds know, such as 3.12: ';

    it("are in its log, with the ones that it uses instead", async () => {
        assert.deepEqual(await reportOf({}), [
            `${node}this build uses Node.js v24.1.0.`,
            `${python}this build uses Python 3.11.2.`,
        ]);
    });

    it("are not in its log if the settings have a version", async () => {
        assert.deepEqual(await reportOf({ node: "24", python: "3.11" }), []);
    });
});
