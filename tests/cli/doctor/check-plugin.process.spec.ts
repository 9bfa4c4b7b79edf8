import assert from "node:assert/strict";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkProject } from "../../../cli/src/doctor/check-project.js";
import type { Examination } from "../../../cli/src/doctor/examination.js";
import { withFolder } from "../support/command.js";

/** Returns doctor's findings for a program with this runtime, on a machine with this PATH and these plugins. */
async function findingsOf(cwd: string, runtime: string, plugins: object[] = [], path = "") {
    await writeFile(join(cwd, "Pulumi.yaml"), `name: docs\n${runtime}\n`);
    const examination: Examination = {
        options: { cwd },
        env: { PATH: path },
        nodeVersion: "22.0.0",
        run: () => Promise.resolve({ exitCode: 0, stdout: JSON.stringify(plugins), stderr: "" }),
    };
    return checkProject(examination);
}

describe("The plugin check of static-export doctor", () => {
    for (const runtime of ["runtime: yaml", "runtime:\n  name: python\n  options: {}", 'runtime: "go" # 1.24']) {
        it(`requires the plugin but no package: ${JSON.stringify(runtime)}`, () =>
            withFolder(async (folder) => {
                const [plugin, ...others] = await findingsOf(folder, runtime);
                assert.deepEqual([plugin?.check, plugin?.status, others], ["plugin", "error", []]);
                assert.match(plugin?.fix ?? "", /npm run plugin -- FOLDER/);
            }));
    }

    it("finds the plugin on the PATH or among the installed plugins", () =>
        withFolder(async (folder) => {
            const installed = [{ name: "static-export", kind: "resource", version: "0.1.0" }];
            const [found] = await findingsOf(folder, "runtime: yaml", installed);
            assert.deepEqual([found?.status, found?.found], ["ok", "static-export 0.1.0"]);
            await writeFile(join(folder, "pulumi-resource-static-export"), "");
            await chmod(join(folder, "pulumi-resource-static-export"), 0o755);
            assert.equal((await findingsOf(folder, "runtime: yaml", [], folder))[0]?.status, "ok");
        }));

    it("requires the npm packages for a Node.js program", () =>
        withFolder(async (folder) => {
            const checks = (await findingsOf(folder, "runtime:\n  name: nodejs")).map(({ check }) => check);
            assert.deepEqual(checks, ["Pulumi SDK", "pulumi-static-export", "plugins", "chart"]);
        }));
});
