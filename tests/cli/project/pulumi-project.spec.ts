import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { configurationOf, findProject, readProgram, requireProject } from "../../../cli/src/project/pulumi-project.js";
import { withFolder } from "../support/command.js";

describe("the Pulumi project of a folder", () => {
    for (const [what, file, expected] of [
        ["is next to Pulumi.yaml", "name: docs\n", "Pulumi.dev.yaml"],
        ["is in stackConfigDir", "name: docs\nstackConfigDir: stacks/docs\n", "stacks/docs/Pulumi.dev.yaml"],
        ["is in the folder that `config` of an old project names", "name: docs\nconfig: old\n", "old/Pulumi.dev.yaml"],
        ["is next to Pulumi.yaml if `config` has settings", "name: docs\nconfig: { a: b }\n", "Pulumi.dev.yaml"],
    ] as const) {
        it(`has a stack whose configuration ${what}`, async () => {
            await withFolder(async (folder) => {
                await writeFile(join(folder, "Pulumi.yaml"), file);
                await mkdir(join(folder, "src"));
                const project = requireProject(join(folder, "src"));
                assert.equal(project.name, "docs");
                for (const stack of ["dev", "acme/dev", "acme/docs/dev"]) {
                    assert.equal(configurationOf(project, stack), join(folder, expected));
                }
            });
        });
    }

    for (const [file, expected] of [
        ["Pulumi.yml", "Pulumi.dev.yml"],
        ["Pulumi.json", "Pulumi.dev.json"],
    ] as const) {
        it(`has a stack whose configuration has the ending of ${file}`, async () => {
            await withFolder(async (folder) => {
                await writeFile(join(folder, file), '{ "name": "docs" }');
                assert.equal(configurationOf(requireProject(folder), "dev"), join(folder, expected));
            });
        });
    }

    it("is required for a redacted preview", async () => {
        await withFolder((folder) => {
            assert.equal(findProject(folder), undefined);
            assert.throws(() => requireProject(folder), /There is no Pulumi\.yaml in /);
            return Promise.resolve();
        });
    });
});

describe("The program of a Pulumi project", () => {
    for (const [how, file, expected] of [
        ["as text", "runtime: go\n", "go"],
        ["with options", "runtime:\n  options: { typescript: true }\n  name: nodejs\n", "nodejs"],
        ["in a file that is invalid elsewhere", "runtime: python\nname: [\n", "python"],
        ["in the first of two documents", "runtime: go\n---\nruntime: yaml\n", "go"],
        ["nowhere", "", undefined],
    ] as const) {
        it(`has the runtime that is named ${how}`, () =>
            withFolder(async (folder) => {
                const project = join(folder, "Pulumi.yaml");
                await writeFile(project, file);
                assert.deepEqual(readProgram(project), { runtime: expected, folder });
            }));
    }

    it("is in the folder that `main` names, or of the file that it names", () =>
        withFolder(async (folder) => {
            const project = join(folder, "Pulumi.yaml");
            await mkdir(join(folder, "infra"));
            await writeFile(join(folder, "infra", "index.ts"), "");
            for (const main of ["infra", "./infra/index.ts", "'infra' # the program"]) {
                await writeFile(project, `main: ${main}\n`);
                assert.equal(readProgram(project).folder, join(folder, "infra"));
            }
            await writeFile(project, "main: missing\n");
            assert.equal(readProgram(project).folder, folder);
        }));
});
