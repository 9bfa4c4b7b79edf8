import assert from "node:assert/strict";
import { symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exportSite } from "../../../../exporter/src/write/export-site.js";
import { failureOf, listFiles, withExport, withFolder, writeFiles, type Files } from "../../support/site-fixture.js";

const site: Files = {
    "index.html":
        '<!doctype html><title>Home</title><link rel=stylesheet href=/_static/a.css><a href="/guide">Guide</a>',
    "guide/index.html": '<h1 id="start">Guide</h1>',
    "404.html": "<h1>Not found</h1>",
    "old.html": '<meta http-equiv="refresh" content="0; url=/guide/#start">',
    "_static/a.css": "body { background: url(a.png) }",
    "_static/a.png": "\x89PNG",
    ".well-known/security.txt": "Contact: mailto:a@example.com",
    "data.json": "{}",
};

describe("Finished HTML", () => {
    it("is exported as it is, without hidden files and private keys", async () => {
        const hidden = {
            ".buildinfo": "a",
            ".git/config": "b",
            ".doctrees/a": "c",
            "node_modules/a.js": "d",
            "keys/id_rsa": "e",
        };
        await withExport({ ...site, ...hidden }, async ({ files, read, pageCount, warnings }) => {
            assert.deepEqual(await files(), Object.keys(site).sort());
            for (const [file, content] of Object.entries(site)) {
                assert.equal(await read(file), content);
            }
            assert.deepEqual(warnings, []);
            assert.equal(pageCount, 2, "neither the page for unknown addresses nor a redirect");
        });
    });

    it("results in the same archive for the same files, from a cache or not", async () => {
        await withFolder(async (folder) => {
            await writeFiles(join(folder, "site"), site);
            await writeFiles(folder, { "cache/unrelated": "" });
            const digests = new Set<string>();
            for (const [name, caching] of [["1"], ["2", {}], ["3", {}]] as const) {
                const { sha256, pageCount } = await exportSite({
                    sourceDir: join(folder, "site"),
                    domain: "docs.example.com",
                    archivePath: join(folder, `${name}.tar.gz`),
                    ...(caching && { cacheDir: join(folder, "cache") }),
                });
                digests.add(sha256);
                assert.equal(pageCount, 2);
            }
            assert.equal(digests.size, 1);
        });
    });

    it("describes its pages and other hosts in bundle.json", async () => {
        const html = '<script src="https://cdn.example.net/a.js"></script><img src="https://img.example.org/a.png">';
        await withExport({ "index.html": html }, async ({ read }) => {
            const facts = JSON.parse(await read("static-export/bundle.json")) as { pages: number; embeds: string[] };
            assert.deepEqual([facts.pages, facts.embeds], [1, ["cdn.example.net", "img.example.org"]]);
        });
    });

    it("is not a folder with Markdown, unless the folder is exported as prebuilt", async () => {
        const files = { ...site, "guide/copy.md": "# Guide" };
        await withExport(files, async ({ files: exported, pageCount }) => {
            assert.ok((await exported()).includes("guide/copy.html"));
            assert.equal(pageCount, 1);
        });
        await withExport(
            files,
            async ({ read, pageCount }) => {
                assert.equal(await read("guide/copy.md"), "# Guide");
                assert.equal(pageCount, 2);
            },
            { prebuilt: true },
        );
    });

    it("fails without index.html, for single pages, and for names that exports reserve", async () => {
        assert.match(await failureOf({ "a.html": "" }, { prebuilt: true }), /finished HTML has no index\.html/);
        assert.match(await failureOf(site, { paths: ["/guide"] }), /finished HTML is exported as a whole/);
        assert.match(await failureOf({ ...site, "access.json": "{}" }), /reserves the name access\.json/);
        const own = { ...site, "static-export/bundle.json": "{}" };
        assert.match(await failureOf(own), /the folder is already an export: publish it as it is/);
    });

    it("reports files and links that it leaves out, and files that hosts refuse", async () => {
        await withFolder(async (folder) => {
            const sourceDir = join(folder, "site");
            await writeFiles(sourceDir, site);
            await symlink("/etc", join(sourceDir, "etc"));
            await symlink("data.json", join(sourceDir, "linked.json"));
            await writeFile(join(sourceDir, "a\\b.txt"), "");
            await writeFile(join(sourceDir, "film.mp4"), "");
            await truncate(join(sourceDir, "film.mp4"), 26 * 1024 * 1024);
            const outDir = join(folder, "out");
            const { warnings } = await exportSite({ sourceDir, outDir, domain: "docs.example.com" });
            assert.deepEqual(warnings.map(({ kind, file }) => [kind, file]).sort(), [
                ["file", "a\\b.txt"],
                ["file", "etc"],
                ["file", "film.mp4"],
            ]);
            const files = await listFiles(outDir);
            assert.ok(files.includes("linked.json") && files.includes("film.mp4"));
            assert.ok(!files.some((file) => /etc|b\.txt/.test(file)));
        });
    });

    it("says once what it cannot have, where it is asked for", async () => {
        await withExport(
            site,
            async ({ read, warnings }) => {
                assert.match(await read("access.json"), /"files": \{\}/);
                assert.deepEqual(
                    warnings.map(({ reason }) => reason.split(" has")[0]),
                    ["--access", "--answer"],
                );
            },
            // A service sets these options for all of its sites.
            { privatePages: "keep-apart", answer: true, strict: true },
        );
    });
});
