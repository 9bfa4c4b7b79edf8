import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addPackages } from "../../../cli/src/init/add-packages.js";

describe("The command that adds packages", () => {
    let root: string;
    let folder: string;
    beforeEach(async () => {
        root = await mkdtemp(join(tmpdir(), "package-manager-"));
        folder = join(root, "packages/site");
        await mkdir(folder, { recursive: true });
    });
    afterEach(() => rm(root, { recursive: true }));

    for (const [what, files, command] of [
        ["package-lock.json", { "package-lock.json": "{}" }, "npm install --save-dev a b"],
        ["pnpm-lock.yaml", { "pnpm-lock.yaml": "" }, "pnpm add --save-dev a b"],
        ["a workspace of pnpm", { "pnpm-workspace.yaml": "" }, "pnpm add --save-dev a b"],
        ["yarn.lock of Yarn 1", { "yarn.lock": "# yarn lockfile v1\n" }, "yarn add --dev a b"],
        [
            "yarn.lock of a later Yarn",
            { "yarn.lock": "__metadata:\n", ".yarnrc.yml": "nodeLinker: node-modules\n" },
            "yarn add --dev a b",
        ],
        [
            "its name",
            { "package.json": '{ "packageManager": "pnpm@10.0.0" }', "yarn.lock": "" },
            "pnpm add --save-dev a b",
        ],
        ["an unknown name", { "package.json": '{ "packageManager": "bun@1.0.0" }' }, "npm install --save-dev a b"],
        ["a damaged package.json", { "package.json": "{", "yarn.lock": "" }, "npm install --save-dev a b"],
    ] as const) {
        it(`is that of the package manager of a folder around the project: ${what}`, async () => {
            for (const [name, text] of Object.entries({ "package.json": "{}", ...files })) {
                await writeFile(join(root, name), text);
            }
            assert.deepEqual(addPackages(folder, ["a", "b"], true), [command]);
        });
    }

    it("ignores a lock file without a package.json", async () => {
        await writeFile(join(root, "yarn.lock"), "# yarn lockfile v1\n");
        assert.deepEqual(addPackages(folder, ["a"]), ["npm install a"]);
    });

    it("says what to change if Yarn would not write node_modules", async () => {
        await writeFile(join(root, "package.json"), '{ "packageManager": "yarn@4.0.0" }');
        assert.throws(() => addPackages(folder, ["a"]), /write nodeLinker: node-modules into \.yarnrc\.yml/);
    });

    it("prefers the project's own package manager to that of the folder around it", async () => {
        await writeFile(join(root, "pnpm-workspace.yaml"), "");
        await writeFile(join(folder, "package-lock.json"), "{}");
        await writeFile(join(folder, "package.json"), "{}");
        assert.deepEqual(addPackages(folder, ["a"]), ["npm install a"]);
    });

    it("adds packages to the root of a workspace of pnpm, which refuses this without an option", async () => {
        await writeFile(join(root, "pnpm-workspace.yaml"), "");
        assert.deepEqual(addPackages(root, ["a"]), ["pnpm add --workspace-root a"]);
    });

    it("adds packages to the root of a workspace of Yarn 1, which refuses this without an option", async () => {
        await writeFile(join(root, "package.json"), '{ "workspaces": ["packages/*"] }');
        await writeFile(join(root, "yarn.lock"), "# yarn lockfile v1\n");
        assert.deepEqual(addPackages(root, ["a"]), ["yarn add -W a"]);
    });

    for (const [version, command] of [
        ["12.21.0", "pnpm add --allow-build=protobufjs --allow-build=@pulumi/kubernetes"],
        ["10.34.9", "pnpm add"],
        ["", "pnpm add"],
    ] as const) {
        it(`approves the scripts of Pulumi's packages only where pnpm asks for it: pnpm ${version || "missing"}`, async () => {
            await writeFile(join(folder, "package.json"), '{ "packageManager": "pnpm" }');
            const packages = ['"@pulumi/pulumi@^3.245.0"', '"@pulumi/kubernetes@^4.34.2"', "typescript"];
            const added = addPackages(folder, packages, false, () => version);
            assert.deepEqual(added, [[command, ...packages].join(" ")]);
        });
    }

    it("is not needed for no packages", () => {
        assert.deepEqual(addPackages(folder, []), []);
    });
});
