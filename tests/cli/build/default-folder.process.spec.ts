import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command, type Outcome, run, withFolder } from "../support/command.js";

describe("A project without the name of its folder", function () {
    this.timeout(60_000);

    /** A project whose pages are in its own folder. */
    async function withRootSite(use: (folder: string) => Promise<void>): Promise<void> {
        await withFolder(async (folder) => {
            await rm(join(folder, "docs"), { recursive: true });
            await writeFile(join(folder, "docs.json"), '{ "name": "Acme" }');
            await writeFile(join(folder, "install.md"), "# Install\n\nRun it.\n");
            await use(folder);
        });
    }
    const build = async (folder: string, ...args: string[]): Promise<Outcome> => {
        const outcome = await run(folder, ["build", ...args]);
        assert.equal(outcome.exitCode, 0, outcome.stderr);
        return outcome;
    };

    it("is built from docs, also if the project has a README", async () => {
        await withFolder(async (folder) => {
            await writeFile(join(folder, "README.md"), "# For contributors");
            await build(folder, "--output", "site");
            assert.match(await readFile(join(folder, "site/index.html"), "utf8"), /<h1[^>]*>Welcome/);
        });
    });

    it("is shown by dev from docs", async () => {
        await withFolder(async (folder) => {
            const command = new Command(["dev", "--port", "0"], { cwd: folder });
            await command.prints(/^docs at http:/m);
            command.signal("SIGTERM");
            await command.exited;
        });
    });

    it("is built again and again from its own folder, without earlier output and packed packages", async () => {
        await withRootSite(async (folder) => {
            await writeFile(join(folder, "pulumi-static-export-cli.tgz"), "");
            await build(folder, "--output", "site");
            await build(folder, "--output", "other");
            const { stdout, stderr } = await build(folder, "--output", "site");
            assert.match(stdout, /^pages +1$/m);
            const files = await readdir(join(folder, "site"));
            assert.deepEqual(
                files.filter((file) => /site|other|tgz/.test(file)),
                ["sitemap.xml"].filter((file) => files.includes(file)),
                stderr,
            );
        });
    });

    it("is named by its folder if it has no pages", async () => {
        await withFolder(async (folder) => {
            await rm(join(folder, "docs/index.md"));
            const { exitCode, stderr } = await run(folder, ["build"]);
            assert.equal(exitCode, 1);
            assert.match(stderr, /^error: .*\/docs: the site has no pages/m);
        });
    });

    it("is named by its folder as it is written, with each $ of the name", async () => {
        await withFolder(async (folder) => {
            await mkdir(join(folder, "us$&eu"));
            const { stderr } = await run(folder, ["build", "us$&eu"]);
            assert.match(stderr, /^error: .*\/us\$&eu: the site has no pages/m);
        });
    });

    it("never loses pages to an output with the name of their folder", async () => {
        await withRootSite(async (folder) => {
            await run(folder, ["build", "--output", "guides"]);
            await rm(join(folder, "guides/static-export"), { recursive: true });
            const { exitCode, stderr } = await run(folder, ["build", "--output", "guides", "--force"]);
            assert.equal(exitCode, 2);
            assert.match(stderr, /^error: The folder guides is not empty, and no build wrote it/);
            assert.ok(existsSync(join(folder, "guides/index.html")));
        });
    });
});
