import assert from "node:assert/strict";
import { mkdirSync, rmdirSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type LiveFile } from "../../../exporter/src/live/live-page.js";
import { LiveSite } from "../../../exporter/src/live/live-site.js";
import { type Files, withFolder, writeFiles } from "../support/site-fixture.js";

const files = {
    "docs.json": JSON.stringify({ name: "First", navigation: { pages: ["index", "guides/start", "shows"] } }),
    "index.md": "# Home\n\n[Start](/guides/start)\n",
    "guides/start.md": "---\ntitle: Start\n---\n\nBefore.\n\n[dead](/nowhere)\n",
    "shows.mdx": 'import Note from "/snippets/note.mdx";\n\n# Shows\n\n<Note />\n',
    "snippets/note.mdx": "An old note.\n",
    "site.css": "article { color: red }",
};

interface Fixture {
    readonly site: LiveSite;
    readonly folder: string;
    /** Writes the files as an editor does, with a rename. @returns the changed paths */
    readonly write: (changed: Files) => Promise<string[]>;
    readonly html: (path: string) => Promise<string>;
}

async function withLiveSite(use: (fixture: Fixture) => Promise<void>, content: Files = files): Promise<void> {
    await withFolder(async (parent) => {
        const folder = join(parent, "site");
        const workDir = join(parent, "work");
        await Promise.all([mkdir(folder), mkdir(workDir)]);
        await writeFiles(folder, content);
        const site = new LiveSite(folder, workDir, undefined);
        await site.plan();
        await use({
            site,
            folder,
            async write(changed) {
                for (const [file, text] of Object.entries(changed)) {
                    await writeFiles(folder, { [`${file}.new`]: text });
                    await rename(join(folder, `${file}.new`), join(folder, file));
                }
                return Object.keys(changed).map((file) => join(folder, file));
            },
            html: async (path) => htmlOf(await site.file(path)),
        });
    });
}

function htmlOf(file: LiveFile): string {
    return file.kind === "page" ? file.html : `no page: ${JSON.stringify(file)}`;
}

describe("A live site", () => {
    it("renders a page on request, with and without an extension in the address", async () => {
        await withLiveSite(async ({ html }) => {
            for (const path of ["guides/start.html", "guides/start", "guides/start/"]) {
                assert.match(await html(path), /<p>Before\.<\/p>/, path);
            }
            assert.match(await html(""), /<h1[^>]*>Home/);
        });
    });

    it("re-renders only the changed page if its text changes", async () => {
        await withLiveSite(async ({ site, write, html }) => {
            const home = await site.state("index.html");
            const start = await site.state("guides/start.html");
            const change = await site.change(await write({ "guides/start.md": "---\ntitle: Start\n---\n\nAfter.\n" }));
            assert.deepEqual(change, {
                kind: "pages",
                isOnAll: false,
                pages: [{ file: "guides/start.md", warnings: [] }],
            });
            assert.match(await html("guides/start.html"), /<p>After\.<\/p>/);
            assert.notEqual((await site.state("guides/start.html")).digest, start.digest);
            assert.equal((await site.state("index.html")).digest, home.digest);
        });
    });

    it("rebuilds its plan if a title, a setting or the list of files changes", async () => {
        await withLiveSite(async ({ site, folder, write, html }) => {
            const changes: Files[] = [
                { "guides/start.md": "---\ntitle: Renamed\n---\n\nText.\n" },
                { "docs.json": files["docs.json"].replace("First", "Second") },
                { "new.md": "# New\n" },
            ];
            for (const changed of changes) {
                assert.equal((await site.change(await write(changed))).kind, "site", JSON.stringify(changed));
            }
            assert.match(await html("index.html"), /Second[\s\S]*Renamed/);
            assert.match(await html("new.html"), /<h1[^>]*>New/);
            await rm(join(folder, "new.md"));
            await site.change([join(folder, "new.md")]);
            assert.equal((await site.file("new.html")).kind === "page" && (await site.state("new")).digest, "");
        });
    });

    it("is planned again when a settings file that is not published comes, changes or goes", async () => {
        await withLiveSite(
            async ({ site, folder, write, html }) => {
                const remove = async (file: string) => {
                    await rm(join(folder, file));
                    return site.change([join(folder, file)]);
                };
                await site.change(await write({ ".mintignore": "guides/start.md\n" }));
                assert.match(await html("guides/start.html"), /does not exist/);
                assert.equal((await remove(".mintignore")).kind, "site");
                assert.match(await html("guides/start.html"), /<p>Before\.<\/p>/);
                await site.change(await write({ ".gitbook.yaml": "redirects:\n  old: guides/start.md\n" }));
                assert.deepEqual(await site.file("old"), { kind: "redirect", to: "/guides/start" });
                await site.change(await write({ ".gitbook.yaml": "redirects:\n  older: guides/start.md\n" }));
                assert.equal((await site.file("older")).kind, "redirect");
                assert.equal((await remove(".gitbook.yaml")).kind, "site");
                assert.equal((await site.file("older")).kind, "page");
                await site.change(await write({ "guides/pyvenv.cfg": "" }));
                assert.match(await html("guides/start.html"), /does not exist/);
                await remove("guides/pyvenv.cfg");
                assert.match(await html("guides/start.html"), /<p>Before\.<\/p>/);
            },
            { "index.md": files["index.md"], "guides/start.md": files["guides/start.md"] },
        );
    });

    it("re-renders the pages that import a changed snippet", async () => {
        await withLiveSite(async ({ site, write, html }) => {
            assert.match(await html("shows.html"), /An old note/);
            const { digest } = await site.state("index.html");
            await site.change(await write({ "snippets/note.mdx": "A new note.\n" }));
            assert.match(await html("shows.html"), /A new note/);
            assert.equal((await site.state("index.html")).digest, digest);
        });
    });

    it("makes all pages reload if a style sheet changes", async () => {
        await withLiveSite(async ({ site, write }) => {
            const change = await site.change(await write({ "site.css": "article { color: blue }" }));
            assert.equal(change.isOnAll, true);
        });
    });

    it("ignores deleted files that were not part of the site's plan", async () => {
        await withLiveSite(async ({ site, folder }) => {
            assert.equal((await site.change([join(folder, "4913")])).kind, "nothing");
        });
    });

    it("reports a page's warnings with their lines, and removes each warning when its cause is corrected", async () => {
        await withLiveSite(async ({ site, write, html }) => {
            const [warning] = (await site.state("guides/start.html")).warnings;
            assert.deepEqual([warning?.file, warning?.line], ["guides/start.md", 7]);
            assert.match(await html("guides/start.html"), /data-live="[^"]*nowhere/);
            await site.change(await write({ "guides/start.md": "---\ntitle: Start\n---\n\nFine.\n" }));
            assert.deepEqual((await site.state("guides/start.html")).warnings, []);
        });
    });

    it("explains that finished HTML is not edited here", async () => {
        await withLiveSite(
            ({ site }) => {
                assert.match(site.problem ?? "", /this is finished HTML, which `static-export build` exports as it is/);
                return Promise.resolve();
            },
            { "index.html": "<h1>Home</h1>" },
        );
    });

    it("shows the last pages and the error while the settings are unreadable", async () => {
        await withLiveSite(async ({ site, write, html }) => {
            await site.change(await write({ "docs.json": "{ broken" }));
            assert.match(site.problem ?? "", /^docs\.json:1: not valid JSON/);
            assert.match(await html("guides/start.html"), /<p>Before\.<\/p>/);
            assert.match((await site.state("index.html")).problem ?? "", /docs\.json:1/);
            await site.change(await write({ "docs.json": files["docs.json"] }));
            assert.equal(site.problem, undefined);
        });
    });

    it("is planned again when a folder that cannot be read is removed", async () => {
        await withLiveSite(async ({ site, folder }) => {
            const unreadable = Buffer.from(`${folder}/\xff`, "latin1");
            mkdirSync(unreadable);
            await site.change(undefined);
            assert.match(site.problem ?? "", /its name is not valid UTF-8: rename it$/);
            rmdirSync(unreadable);
            await site.change([join(folder, "\uFFFD")]);
            assert.equal(site.problem, undefined);
        });
    });

    it("provides the search and the warnings of all pages after a full check", async () => {
        await withLiveSite(async ({ site, write }) => {
            const aborted = new AbortController();
            aborted.abort();
            assert.equal(await site.check(aborted.signal), undefined);
            const checked = await site.check(new AbortController().signal);
            assert.deepEqual(checked?.counts, { link: 1 });
            assert.equal((await site.file("robots.txt")).kind, "file");
            await site.change(await write({ "index.md": "# Home\n\n[part](/guides/start#missing)\n" }));
            await site.check(new AbortController().signal);
            assert.match(
                (await site.state("")).warnings[0]?.reason ?? "",
                /no heading or element with the id #missing/,
            );
        });
    });

    it("answers requests for the search that come before the first full check, after that check", async () => {
        await withLiveSite(async ({ site }) => {
            const page = htmlOf(await site.file("index.html"));
            const [, index, scope] = /data-index="(?:\.\/)?([^"]+)" data-scope="(\d+)"/.exec(page) ?? [];
            const requested = site.file(`${index}/${scope}/scope.js`);
            const aborted = new AbortController();
            aborted.abort();
            await site.check(aborted.signal);
            await site.check(new AbortController().signal);
            assert.equal((await requested).kind, "file");
        });
    });

    it("answers early requests for programs' lists of pages after the first full check", async () => {
        await withLiveSite(async ({ site }) => {
            const names = ["llms.txt", "llms-full.txt", ".well-known/llms.txt", "robots.txt"];
            const requested = names.map((name) => site.file(name));
            assert.equal((await site.file("missing.png")).kind, "page");
            await site.check(new AbortController().signal);
            for (const [at, file] of (await Promise.all(requested)).entries()) {
                assert.equal(file.kind, "file", names[at]);
            }
        });
    });

    it("reveals no files outside of the site and no hidden files", async () => {
        await withLiveSite(async ({ site, folder }) => {
            await writeFile(join(folder, ".env"), "SECRET=1");
            await site.change(undefined);
            for (const file of [".env", "../work/current-page", "/etc/passwd"]) {
                assert.equal(site.placeOf(file), undefined, file);
                assert.equal(htmlOf(await site.file(file)).includes("does not exist"), true, file);
            }
            assert.equal(site.placeOf("guides/start.md"), join(folder, "guides/start.md"));
        });
    });
});
