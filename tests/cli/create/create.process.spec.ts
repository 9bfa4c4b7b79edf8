import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { Command, run, withFolder } from "../support/command.js";
import { itInLong } from "../../scale.js";

const withoutNpm = ["--no-install", "--no-start"];

describe("static-export create", function () {
    this.timeout(60_000);

    it("writes a first page for a writer and prints the command that shows it", async () => {
        await withFolder(async (folder) => {
            const { exitCode, stdout, stderr } = await run(folder, [
                "create",
                "new",
                "--kind",
                "writer",
                ...withoutNpm,
            ]);
            assert.equal(exitCode, 0, stderr);
            assert.deepEqual((await readdir(join(folder, "new"))).sort(), [".gitignore", "docs", "package.json"]);
            assert.match(await readFile(join(folder, "new/docs/index.md"), "utf8"), /^# |^title: Welcome$/m);
            assert.match(
                stdout,
                /^ {2}cd new\n {2}npm install --save-dev \S+\n {2}npx --no -- static-export dev docs$/m,
            );
        });
    });

    for (const [what, name, text] of [
        ["docs.json", "docs.json", '{ "name": "Acme" }'],
        ["mint.json", "mint.json", '{ "name": "Acme" }'],
        ["pages", "install.mdx", "# Install"],
    ] as const) {
        it(`uses the folder itself as the site if it contains ${what}`, async () => {
            await withFolder(async (folder) => {
                await rm(join(folder, "docs"), { recursive: true });
                await writeFile(join(folder, name), text);
                const { stdout, stderr } = await run(folder, ["create", "--kind", "writer", ...withoutNpm]);
                assert.deepEqual((await readdir(folder)).sort(), [".gitignore", name, "package.json"].sort(), stderr);
                assert.match(stdout, /^ {2}npx --no -- static-export dev$/m);
                assert.match(await readFile(join(folder, "package.json"), "utf8"), /export build \. --output site"/);
            });
        });
    }

    it("writes a first page for a folder that only has a README", async () => {
        await withFolder(async (folder) => {
            await rm(join(folder, "docs"), { recursive: true });
            await writeFile(join(folder, "README.md"), "# For contributors");
            await run(folder, ["create", "--kind", "writer", ...withoutNpm]);
            assert.deepEqual(await readdir(join(folder, "docs")), ["index.md"]);
        });
    });

    itInLong("keeps the pages and the package.json that a writer has", async () => {
        await withFolder(async (folder) => {
            await writeFile(join(folder, "package.json"), "{}");
            const { stdout } = await run(folder, ["create", "--kind", "writer", ...withoutNpm]);
            assert.match(stdout, /^Did not change package\.json\.$/m);
            assert.deepEqual(await readdir(join(folder, "docs")), ["index.md"]);
            assert.equal(await readFile(join(folder, "package.json"), "utf8"), "{}");
        });
    });

    for (const [status, installed, exitCode, said] of [
        [1, true, 0, /^warning: pnpm add \S+ \S+ reports an error, above, but has installed the packages\.$/m],
        [1, false, 1, /^error: pnpm add \S+ \S+ failed; its output is above\./m],
        // As in an environment with NODE_ENV=production.
        [0, false, 1, /^error: pnpm add \S+ \S+ has installed nothing\. .* NODE_ENV is production/m],
    ] as const) {
        it(`${exitCode === 0 ? "continues" : "stops"} if pnpm exits with ${status} and has${installed ? "" : " not"} installed the packages`, async () => {
            await withFolder(async (folder) => {
                const manifest = "node_modules/@pulumi-static-export/cli/package.json";
                const install = `mkdir -p ${dirname(manifest)}; echo '{ "version": "1.0.0" }' > ${manifest}`;
                await writeFile(join(folder, "pnpm"), `#!/bin/sh\n${installed ? install : ""}\nexit ${status}\n`, {
                    mode: 0o755,
                });
                await writeFile(join(folder, "package.json"), '{ "packageManager": "pnpm@12.0.0" }');
                await writeFile(join(folder, "pulumi-static-export-cli-1.0.0.tgz"), "");
                const path = [folder, process.env["PATH"]].join(delimiter);
                const created = await run(folder, ["create", "--kind", "writer", "--no-start"], { PATH: path });
                assert.equal(created.exitCode, exitCode, created.stderr);
                assert.match(created.stderr, said);
            });
        });
    }

    it("names the lines that an existing .gitignore lacks", async () => {
        await withFolder(async (folder) => {
            await writeFile(join(folder, ".gitignore"), "/node_modules\n");
            const { stdout } = await run(folder, ["create", "--kind", "writer", ...withoutNpm]);
            assert.match(stdout, /^Did not change \.gitignore: add site\/, \.static-export\/ to it\.$/m);
        });
    });

    it("rejects options that only a Pulumi program has, and builds for the domain", async () => {
        await withFolder(async (folder) => {
            const writer = ["create", "--kind", "writer", ...withoutNpm];
            const refused = await run(folder, [...writer, "--language", "yaml", "--for", "bucket"]);
            assert.equal(refused.exitCode, 2);
            assert.match(
                refused.stderr,
                /^error: --for, --language cannot be used with --kind writer, only with --kind pulumi\.$/m,
            );
            await run(folder, [...writer, "--domain", "docs.example.org"]);
            const manifest = await readFile(join(folder, "package.json"), "utf8");
            assert.match(manifest, /build docs --output site --domain docs\.example\.org"/);
        });
    });

    it("builds into another folder if the folder site is in use", async () => {
        await withFolder(async (folder) => {
            await mkdir(join(folder, "site"));
            await run(folder, ["create", "--kind", "writer", ...withoutNpm]);
            assert.match(await readFile(join(folder, ".gitignore"), "utf8"), /^exported-site\/$/m);
            assert.match(await readFile(join(folder, "package.json"), "utf8"), /build docs --output exported-site"/);
        });
    });

    it("keeps a Pulumi program out of the site if both are in one folder", async () => {
        await withFolder(async (folder) => {
            await rm(join(folder, "docs"), { recursive: true });
            await writeFile(join(folder, "index.md"), "# Home");
            const project = [
                "--kind",
                "pulumi",
                "--domain",
                "d.example.org",
                "--language",
                "python",
                "--for",
                "export",
            ];
            const created = await run(folder, ["create", ...project, ...withoutNpm]);
            assert.equal(created.exitCode, 0, created.stderr);
            await mkdir(join(folder, "sdks/static-export"), { recursive: true });
            await writeFile(join(folder, "sdks/static-export/README.md"), "# SDK");
            await run(folder, ["build", ".", "--output", "out"]);
            const files = await readdir(join(folder, "out"), { recursive: true });
            assert.deepEqual(
                files.filter((name) => /^Pulumi|^sdks|\.py$|\.txt$/.test(name) && !/llms|robots|NOTICES/.test(name)),
                [],
            );
        });
    });

    itInLong("writes the same Pulumi project as init, and names the service to start first", async () => {
        await withFolder(async (folder) => {
            const project = ["--domain", "d.example.org", "--language", "yaml"];
            const created = await run(folder, ["create", "a", "--kind", "pulumi", ...project, ...withoutNpm]);
            await run(folder, ["init", "b", "--name", "a", ...project]);
            for (const name of ["Pulumi.yaml", "Pulumi.dev.yaml"]) {
                const [a, b] = await Promise.all(["a", "b"].map((each) => readFile(join(folder, each, name), "utf8")));
                assert.equal(a, b);
            }
            assert.match(
                created.stdout,
                /In another terminal, after the installation:\n {2}cd a\n {2}npx --no -- static-export serve --site d\.example\.org=/,
            );
            assert.match(created.stdout, /static-export:adminApiKey < \.static-export\/admin-api-key$/m);
        });
    });

    for (const [kind, shown] of [
        ["writer", /docs at http:\/\/127\.0\.0\.1:\d+\//],
        ["service", /Admin service for docs\.example\.com/],
    ] as const) {
        itInLong(`starts what it has written, until a signal: ${kind}`, async () => {
            await withFolder(async (folder) => {
                await rm(join(folder, "docs"), { recursive: true });
                const options = ["--kind", kind, "--domain", "docs.example.com", "--no-install", "--port", "0"];
                const command = new Command(["create", ...options], { cwd: folder });
                await command.prints(shown);
                command.signal("SIGTERM");
                assert.equal((await command.exited).exitCode, 0);
            });
        });
    }

    it("writes nothing if this build's package is neither in a registry nor nearby", async () => {
        await withFolder(async (folder) => {
            const { exitCode, stderr } = await run(folder, ["create", "new", "--kind", "writer"]);
            assert.match(
                stderr,
                /^error: This build is not in any registry: put the packed file pulumi-static-export-cli-/,
            );
            assert.equal(exitCode, 2);
            assert.ok(!existsSync(join(folder, "new/docs")));
        });
    });
});
