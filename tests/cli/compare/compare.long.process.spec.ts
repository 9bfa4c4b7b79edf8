import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeFiles } from "../../exporter/support/site-fixture.js";
import { Command, type Outcome } from "../support/command.js";

const run = promisify(execFile);

describe("static-export compare", () => {
    let folder: string;
    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-spec-"));
        await writeFiles(folder, {
            "tmp/.keep": "",
            "old/index.html": "<title>Home</title><main>Home</main>",
            "new/index.html": "<title>Home</title><main>Home, changed</main>",
            "broken/index.html": '<title>Home</title><main><a href="nowhere.html">Home</a></main>',
            "not-an-archive.tar.gz": "text",
            "source/index.md": "# Home",
            "redirects-only/404.html": "<title>Not found</title>",
        });
        await run("tar", ["-czf", "new.tar.gz", "-C", "new", "."], { cwd: folder });
    });
    after(() => rm(folder, { recursive: true, force: true }));

    const compare = async (...args: string[]): Promise<Outcome> => {
        const outcome = await new Command(["compare", ...args], { cwd: folder, env: { TMPDIR: join(folder, "tmp") } })
            .exited;
        assert.deepEqual(await readdir(join(folder, "tmp")), [".keep"], "something was left in the temporary folder");
        return outcome;
    };

    it("compares a folder with a bundle's archive, and exits with 0 if nothing is lost", async () => {
        const { exitCode, stdout, stderr } = await compare("old", "new.tar.gz");
        assert.equal(exitCode, 0, stderr);
        assert.equal(stdout, "changed   / (Home)\n0 added, 1 changed, 0 removed, 0 new dead links\n");
    });

    it("exits with 1 when a link becomes dead, and reports it in JSON", async () => {
        const { exitCode, stdout } = await compare("old", "broken", "--json");
        assert.equal(exitCode, 1);
        assert.deepEqual((JSON.parse(stdout) as { deadLinks: unknown }).deadLinks, [
            { page: "/", href: "nowhere.html" },
        ]);
    });

    it("reports which argument is not a site", async () => {
        const missing = await compare("old", "./missing");
        assert.deepEqual([missing.exitCode, missing.stderr], [2, "error: There is no folder or archive ./missing.\n"]);
        for (const [args, place] of [
            [["source", "source"], "source"],
            [["old", "source"], "source"],
            [["redirects-only", "old"], "redirects-only"],
        ] as const) {
            const source = await compare(...args);
            assert.equal(source.exitCode, 2, source.stdout);
            assert.match(
                source.stderr,
                new RegExp(`^error: ${place} has no exported pages \\(\\.html\\): compare exports`),
            );
        }
        const damaged = await compare("old", "not-an-archive.tar.gz");
        assert.equal(damaged.exitCode, 2);
        assert.match(damaged.stderr, /^error: not-an-archive\.tar\.gz: .*not a gzipped tar archive/);
    });
});
