import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withFolder } from "../../sdk/support/files.js";
import { openNetwork } from "./support/open-network.js";
import { skipWithoutSandbox, withBuild } from "./support/with-build.js";

const lockFile = JSON.stringify({
    lockfileVersion: 3,
    packages: {
        "": { dependencies: { "is-number": "7.0.0" } },
        "node_modules/is-number": {
            version: "7.0.0",
            integrity:
                "sha512-41Cifkg6e8TylSpdtTpeLVMqvSBEVzTttHvERD741+pnZ8ANv0004MRL43QKPDlK9cGvNp6NZWZUBlbGXYxxng==",
        },
    },
});

/** A script of the package calls the program that has installed it. */
const packageOf = (program: string) =>
    JSON.stringify({
        name: "site",
        version: "1.0.0",
        devDependencies: { "is-number": "7.0.0" },
        scripts: { tool: `${program} --version` },
    });

interface Manager {
    readonly manifest?: string;
    readonly files?: Readonly<Record<string, string>>;
    /** The commands that write the lock file, as a committer runs them. */
    readonly lock: string;
    /** The program that the build's own commands find. */
    readonly tool?: { readonly program: string; readonly version: RegExp };
}

/** npm and pip are in the first spec. */
const managers: Readonly<Record<string, Manager>> = {
    pnpm: { lock: "npx --yes pnpm install --lockfile-only", tool: { program: "pnpm", version: /^10\./ } },
    bun: { lock: "npx --yes bun install --lockfile-only", tool: { program: "bun", version: /^1\./ } },
    "yarn 1": {
        lock: "npx --yes yarn@1 install --no-progress; rm -r node_modules",
        tool: { program: "yarn", version: /^1\./ },
    },
    "yarn 4": {
        files: { ".yarnrc.yml": "nodeLinker: node-modules\n", "yarn.lock": "" },
        lock: "npx --yes @yarnpkg/cli-dist install --mode=update-lockfile; rm -rf node_modules .yarn",
        tool: { program: "yarn", version: /^4\./ },
    },
    uv: {
        manifest: [
            "[project]",
            'name = "site"',
            'version = "1.0.0"',
            'requires-python = ">=3.9"',
            'dependencies = ["six==1.17.0"]',
            "[tool.uv]",
            "package = false",
            "",
        ].join("\n"),
        lock: "python3 -m venv .tools; .tools/bin/pip install --quiet uv; .tools/bin/uv lock --quiet; rm -r .tools",
    },
};

async function prepare(checkout: string): Promise<void> {
    await writeFile(join(checkout, "package.json"), '{ "dependencies": { "is-number": "7.0.0" } }');
    await writeFile(join(checkout, "package-lock.json"), lockFile);
    await writeFile(join(checkout, "requirements.txt"), "six==1.17.0\n");
    await mkdir(join(checkout, "website"));
}

const env = { ...process.env, npm_config_offline: "true" };
const command =
    "mkdir out; node -p 'require(\"is-number\")(1)' > out/javascript; python3 -c 'import six; print(six)' > out/python; " +
    "node --version > out/version";

describe("A build that installs its packages by lock files", function () {
    this.timeout(300_000);
    before(skipWithoutSandbox);

    it("gets them from registries once, and then from the site's cache", async () => {
        const isOpen = typeof openNetwork() !== "string";
        await withFolder(async (folder) => {
            const build = { install: true, baseFolder: "website", node: "22", timeoutSeconds: 240 };
            const given = { command, prepare, cacheName: "a", dataDir: join(folder, "data") };
            const cases = [
                { build, options: { env: process.env, sharesNetwork: !isOpen } },
                // Without an index, pip has no packages.
                { build: { ...build, environment: ["npm_config_offline"] }, options: { env, sharesNetwork: !isOpen } },
            ];
            for (const each of cases) {
                await withBuild({ ...given, ...each }, async ({ read, error }) => {
                    assert.equal(error, "");
                    assert.equal(await read("javascript"), "true\n");
                    assert.match(await read("python"), /module 'six' from '.*\/\.venv\//);
                    assert.match(await read("version"), /^v22\./);
                });
            }
        });
    });

    for (const [manager, { tool, manifest = packageOf(tool?.program ?? ""), files = {}, lock }] of Object.entries(
        managers,
    )) {
        it(`installs what the lock file of ${manager} says, with the program that its commands find, too`, async () => {
            const isOpen = typeof openNetwork() !== "string";
            const isPython = tool === undefined;
            const used = isPython
                ? "python3 -c 'import six; print(six.__version__)'"
                : "node -p 'require(\"is-number\")(1)'";
            const prepareFor = async (checkout: string) => {
                await writeFile(join(checkout, isPython ? "pyproject.toml" : "package.json"), manifest);
                for (const [name, content] of Object.entries(files)) {
                    await writeFile(join(checkout, name), content);
                }
                execFileSync("sh", ["-ec", lock], { cwd: checkout, stdio: "pipe" });
            };
            await withBuild(
                {
                    command: `mkdir out; ${used} > out/used${isPython ? "" : "; npm run --silent tool > out/tool"}`,
                    // npm and others leave out devDependencies then, unless they are wanted.
                    build: { install: true, timeoutSeconds: 240, variables: { NODE_ENV: "production" } },
                    prepare: prepareFor,
                    options: { env: process.env, sharesNetwork: !isOpen },
                },
                async ({ read, error }) => {
                    assert.equal(error, "");
                    assert.equal(await read("used"), isPython ? "1.17.0\n" : "true\n");
                    if (tool !== undefined) {
                        assert.match(await read("tool"), tool.version);
                    }
                },
            );
        });
    }

    it("needs a lock file", async () => {
        await withBuild({ command, build: { install: true } }, ({ error }) => {
            assert.match(error, /install: true needs a lock file of npm, pnpm, yarn, bun, uv, poetry, pdm/);
        });
    });
});
