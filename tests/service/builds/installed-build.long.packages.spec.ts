import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { UserModeNetwork } from "../../../service/src/processes/user-mode-network.js";
import { withFolder } from "../../sdk/support/files.js";
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
        const isOpen = typeof UserModeNetwork.open([], process.env) !== "string";
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

    it("needs a lock file", async () => {
        await withBuild({ command, build: { install: true } }, ({ error }) => {
            assert.match(error, /install: true needs a lock file of npm, pnpm, yarn, bun, uv or poetry/);
        });
    });
});
