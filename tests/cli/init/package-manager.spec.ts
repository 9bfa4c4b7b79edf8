import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addPackages } from "../../../cli/src/init/package-manager.js";

describe("The command that adds packages", () => {
    let root: string;
    let folder: string;
    beforeEach(async () => {
        root = await mkdtemp(join(tmpdir(), "package-manager-"));
        folder = join(root, "packages/site");
        await mkdir(folder, { recursive: true });
    });
    afterEach(() => rm(root, { recursive: true }));

    for (const [file, text, command] of [
        ["package-lock.json", "{}", "npm install --save-dev a b"],
        ["pnpm-lock.yaml", "", "pnpm add --save-dev a b"],
        ["pnpm-workspace.yaml", "packages:\n  - packages/*\n", "pnpm add --save-dev a b"],
        ["yarn.lock", "", "yarn add --dev a b"],
        ["package.json", '{ "packageManager": "pnpm@10.0.0" }', "pnpm add --save-dev a b"],
        ["package.json", '{ "packageManager": "bun@1.0.0" }', "npm install --save-dev a b"],
        ["package.json", "{", "npm install --save-dev a b"],
    ] as const) {
        it(`is that of the package manager of a folder around the project: ${file} with ${JSON.stringify(text)}`, async () => {
            await writeFile(join(root, file), text);
            assert.deepEqual(addPackages(folder, ["a", "b"], true), [command]);
        });
    }

    it("prefers the project's own package manager to that of the folder around it", async () => {
        await writeFile(join(root, "pnpm-lock.yaml"), "");
        await writeFile(join(folder, "package-lock.json"), "{}");
        assert.deepEqual(addPackages(folder, ["a"]), ["npm install a"]);
    });

    it("adds packages to the root of a workspace of pnpm, which refuses this without an option", async () => {
        await writeFile(join(root, "pnpm-workspace.yaml"), "");
        assert.deepEqual(addPackages(root, ["a"]), ["pnpm add --workspace-root a"]);
    });

    it("is not needed for no packages", () => {
        assert.deepEqual(addPackages(folder, []), []);
    });
});
