import assert from "node:assert/strict";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { listFiles, withFolder, writeFiles } from "../../exporter/support/site-fixture.js";
import { Command, type Outcome } from "../support/command.js";

const builder = `
    const { cpSync, mkdirSync, writeFileSync } = require("node:fs");
    console.log("building 1 page");
    mkdirSync("public", { recursive: true });
    cpSync("page.txt", "public/index.html");
    writeFileSync("public/copy.md", "# Copy");
`;

describe("static-export build --command", function () {
    // The spec starts an export process.
    this.timeout(60_000);

    const build = (folder: string, ...args: string[]): Promise<Outcome> =>
        new Command(["build", ".", ...args], { cwd: folder }).exited;

    it("runs the site's own builder, shows its log, and exports its output as it is", async () => {
        await withFolder(async (folder) => {
            await writeFiles(folder, { "web/build.cjs": builder, "web/page.txt": "<h1>Built</h1>" });
            const options = ["--base-folder", "web", "--output-folder", "public"];
            const { exitCode, stdout, stderr } = await build(
                ...([folder, "--command", `"${process.execPath}" build.cjs`, ...options, "--output", "site"] as const),
            );
            assert.equal(exitCode, 0, stderr);
            assert.match(stderr, /building 1 page/);
            assert.doesNotMatch(stdout, /building/);
            assert.match(stdout, /^pages +1$/m);
            assert.deepEqual(await listFiles(join(folder, "site")), [
                ...["copy.md", "index.html", "static-export/bundle.json"],
            ]);
            assert.equal(await readFile(join(folder, "site/index.html"), "utf8"), "<h1>Built</h1>");
        });
    });

    it("prefers the site's own programs, and says which settings only the service applies", async () => {
        await withFolder(async (folder) => {
            await writeFiles(folder, {
                "node_modules/.bin/cat": "#!/bin/sh\nmkdir public; echo '<h1>Own</h1>' > public/index.html\n",
                ".static-export.yaml":
                    'build:\n  command: cat\n  outputFolder: public\n  install: true\n  python: "3.12"\n',
            });
            await chmod(join(folder, "node_modules/.bin/cat"), 0o755);
            const { exitCode, stderr } = await build(folder, "--command", "--output", "site");
            assert.equal(exitCode, 0, stderr);
            assert.match(await readFile(join(folder, "site/index.html"), "utf8"), /Own/);
            assert.match(stderr, /^note: only the service applies build\.install, build\.python: install packages/m);
        });
    });

    it("fails if the builder fails, or writes no folder", async () => {
        await withFolder(async (folder) => {
            const options = ["--output-folder", "public", "--output", "site"];
            const failed = await build(folder, "--command", "echo broken >&2; exit 3", ...options);
            assert.equal(failed.exitCode, 1);
            assert.match(failed.stderr, /^broken\n[^]*error: .* ended with exit code 3: see its log above\.$/m);
            const nothing = await build(folder, "--command", "true", ...options);
            assert.equal(nothing.exitCode, 1);
            assert.match(nothing.stderr, /error: true wrote no folder public: correct --output-folder\./);
            assert.deepEqual(await listFiles(folder), []);
            const other = await build(folder, "--command", "mkdir out dist; echo > out/index.html", ...options);
            const advice =
                /wrote no folder public: correct --output-folder, to out for example, which has an index\.html\./;
            assert.match(other.stderr, advice);
        });
    });
});
