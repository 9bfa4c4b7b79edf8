import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesOfSeparateProject, findPackageManager, runCommand } from "../../../contract/src/package-manager.js";
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
        [
            "its name in devEngines, as pnpm init writes it",
            { "package.json": '{ "devEngines": { "packageManager": { "name": "pnpm" } } }' },
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

    for (const [where, place, workspaces] of [
        ["the project itself", ".", ""],
        ["a workspace", "packages/site", ', "workspaces": ["packages/*"]'],
    ] as const) {
        it(`says what to change if Yarn would not write node_modules in ${where}`, async () => {
            await writeFile(join(root, "package.json"), `{ "packageManager": "yarn@4.0.0"${workspaces} }`);
            const add = () => addPackages(join(root, place), ["a"]);
            assert.throws(add, /write nodeLinker: node-modules into \.yarnrc\.yml/);
            assert.deepEqual(filesOfSeparateProject(join(root, place)), {});
        });
    }

    it("needs a separate project in a folder of a project of Yarn 4 without workspaces, where Yarn refuses to install", async () => {
        await writeFile(join(root, "package.json"), '{ "packageManager": "yarn@4.0.0" }');
        assert.deepEqual(addPackages(folder, ["a"]), ["yarn add a"]);
        const files = filesOfSeparateProject(folder);
        assert.deepEqual(Object.keys(files), ["yarn.lock", ".yarnrc.yml"]);
        for (const [name, text] of Object.entries({ ...files, "package.json": "{}" })) {
            await writeFile(join(folder, name), text);
        }
        assert.deepEqual(addPackages(folder, ["a"]), ["yarn add a"]);
        await writeFile(join(root, "yarn.lock"), "# yarn lockfile v1\n");
        assert.deepEqual(filesOfSeparateProject(join(root, "other")), {});
    });

    it("is that of the manager that runs this program, if no folder shows another", async () => {
        const env = { npm_config_user_agent: "pnpm/12.21.0 npm/? node/v24.21.0 linux x64" };
        assert.equal(findPackageManager(folder, env).manager, "pnpm");
        assert.equal(findPackageManager(folder, {}).manager, "npm");
        await writeFile(join(root, "package-lock.json"), "{}");
        await writeFile(join(root, "package.json"), "{}");
        assert.equal(findPackageManager(folder, env).manager, "npm");
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

    it("does not contradict what the project has decided about scripts, because pnpm would install nothing", async () => {
        await writeFile(join(folder, "package.json"), '{ "packageManager": "pnpm" }');
        await writeFile(join(folder, "pnpm-workspace.yaml"), "allowBuilds:\n  protobufjs: false\n");
        const packages = ["@pulumi/pulumi@^3.245.0", "@pulumi/kubernetes@^4.34.2"];
        const [added = ""] = addPackages(folder, packages, false, () => "12.21.0");
        assert.match(added, /--allow-build=@pulumi\/kubernetes /);
        assert.doesNotMatch(added, /--allow-build=protobufjs/);
    });

    it("is not needed for no packages", () => {
        assert.deepEqual(addPackages(folder, []), []);
    });
});

describe("The command that runs a program of the project's packages", () => {
    for (const [what, manifest, command] of [
        ["uses npx", {}, "npx --no -- static-export dev"],
        [
            "uses pnpm if npx would refuse the project, as that of pnpm init",
            { devEngines: { packageManager: { name: "pnpm", onFail: "download" } } },
            "pnpm exec static-export dev",
        ],
        [
            "uses npx in a project for several managers",
            { devEngines: { packageManager: [{ name: "pnpm" }, { name: "npm" }] } },
            "npx --no -- static-export dev",
        ],
    ] as const) {
        it(what, async () => {
            const folder = await mkdtemp(join(tmpdir(), "package-manager-"));
            try {
                await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
                assert.equal(runCommand(folder, "static-export dev"), command);
            } finally {
                await rm(folder, { recursive: true });
            }
        });
    }
});
