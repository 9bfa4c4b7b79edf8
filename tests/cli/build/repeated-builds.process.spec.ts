import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Outcome, run, withFolder } from "../support/command.js";

describe("static-export build into the folder of an earlier build", () => {
    interface Fixture {
        build: (...args: string[]) => Promise<Outcome>;
        write: (file: string, text: string) => Promise<void>;
        path: (file: string) => string;
    }

    /** Builds a site of two pages to the folder `preview`. */
    async function withBuild(use: (fixture: Fixture) => Promise<void>): Promise<void> {
        await withFolder(async (folder) => {
            const path = (file: string) => join(folder, file);
            const build: Fixture["build"] = (...args) => run(folder, ["build", "docs", "--output", "preview", ...args]);
            const write: Fixture["write"] = async (file, text) => {
                await mkdir(join(path(file), ".."), { recursive: true });
                await writeFile(path(file), text);
            };
            await rm(path("docs"), { recursive: true, force: true });
            await write("docs/index.md", "# Home\n\nText.\n");
            await write("docs/guides/old.md", "# Old\n\nText.\n");
            const { exitCode, stderr } = await build();
            assert.equal(exitCode, 0, stderr);
            await use({ build, write, path });
        });
    }

    it("replaces changed files only, and removes files of pages that are gone", async () => {
        await withBuild(async ({ build, write, path }) => {
            const inodeOf = async (file: string) => (await stat(path(`preview/${file}`))).ino;
            const [page, styles] = [await inodeOf("index.html"), await inodeOf("404.html")];
            await rm(path("docs/guides/old.md"));
            await write("docs/new.md", "# New\n\nText.\n");
            const { exitCode, stderr } = await build("--version", "2");
            assert.equal(exitCode, 0, stderr);
            assert.match(await readFile(path("preview/new.html"), "utf8"), /<h1[^>]*>New/);
            assert.deepEqual([existsSync(path("preview/guides")), existsSync(path("preview/new.md"))], [false, true]);
            assert.notEqual(await inodeOf("index.html"), page, "its menu has changed");
            const [, second] = [await build("--version", "3"), await inodeOf("404.html")];
            assert.notEqual(second, styles, "the menu of the page for unknown addresses has changed");
            assert.equal(second, await inodeOf("404.html"));
            const before = await inodeOf("index.html");
            await build("--version", "4");
            assert.equal(await inodeOf("index.html"), before, "another version changes no page");
        });
    });

    it("keeps the earlier site if the new one cannot be exported", async () => {
        await withBuild(async ({ build, write, path }) => {
            await write("docs/docs.json", "{");
            assert.equal((await build()).exitCode, 1);
            assert.match(await readFile(path("preview/index.html"), "utf8"), /<h1[^>]*>Home/);
        });
    });

    it("stops at files of others, which --force replaces", async () => {
        await withBuild(async ({ build, write, path }) => {
            await write("preview/CNAME", "docs.example.com");
            const refused = await build();
            assert.deepEqual([refused.exitCode, existsSync(path("preview/CNAME"))], [2, true]);
            assert.match(refused.stderr, /has \d+ files, but the build that wrote it had \d+: .* with --force\.$/m);
            assert.deepEqual([(await build("--force")).exitCode, existsSync(path("preview/CNAME"))], [0, false]);
        });
    });

    it("stops at a folder that no build wrote, and at one that contains the site, whatever --force says", async () => {
        await withBuild(async ({ build, write }) => {
            await write("other/notes.txt", "Notes.");
            assert.match((await build("--output", "other")).stderr, /is not empty, and no build wrote it: /);
            assert.match(
                (await build("--output", ".", "--force")).stderr,
                /^error: \. contains .*docs: choose another/m,
            );
        });
    });
});
