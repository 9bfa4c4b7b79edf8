import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { exportSite } from "../../../exporter/src/write/export-site.js";
import { failureOf, listFiles, warningsOf, withExport, withFolder, writeFiles } from "../support/site-fixture.js";

describe("exportSite", () => {
    it("writes each page to its address with .html", async () => {
        const files = { "index.md": "# Home", "guides/start.md": "# Start", "guides/deep/more.mdx": "# More" };
        await withExport(files, async (site) => {
            assert.equal(site.pageCount, 3);
            assert.deepEqual(
                (await site.files()).filter((file) => file !== "404.html" && file.endsWith(".html")),
                ["guides/deep/more.html", "guides/start.html", "index.html"],
            );
        });
    });

    it("uses the folder's address for the page of a folder", async () => {
        await withExport(
            { "index.md": "# Home", "guides/index.md": "# Guides\n\n[a](./a.md)", "guides/a.md": "# A" },
            async (site) => {
                assert.match(await site.read("guides.html"), /<a href="guides\/a.html">a<\/a>/);
            },
        );
    });

    it("uses a README as the page of its folder unless there is an index", async () => {
        await withExport(
            { "README.md": "# Readme", "a/README.md": "# A readme", "a/index.md": "# A index" },
            async (site) => {
                assert.match(await site.read("index.html"), /<h1 id="readme">Readme<\/h1>/);
                assert.match(await site.read("a.html"), /<h1 id="a-index">A index<\/h1>/);
                assert.equal(site.pageCount, 2);
            },
        );
    });

    it("names a site without settings after its first page, if its domain is meaningless", async () => {
        const files = { "index.md": "# Kestrel", "a.md": "# A" };
        const named = async (domain: string) => {
            let title = "";
            await withExport(
                files,
                async (site) => {
                    title = /<title>(.*)<\/title>/.exec(await site.read("a.html"))?.[1] ?? "";
                },
                { domain },
            );
            return title;
        };
        assert.equal(await named("localhost"), "A &ndash; Kestrel");
        assert.equal(await named("docs.example.com"), "A &ndash; docs.example.com");
    });

    it("exports one of two pages with the same address, and warns about the other page", async () => {
        assert.deepEqual(await warningsOf({ "guides.md": "# A", "guides/index.md": "# B" }), [
            "guides/index.md: guides.md is already the page guides, so this file is left out",
        ]);
        assert.deepEqual(await warningsOf({ "a.md": "# A", "a.html": "mine" }), [
            "a.html: a.md is exported under the same name, so this file is left out",
        ]);
    });

    it("omits the extension in canonical addresses and the sitemap", async () => {
        await withExport({ "index.md": "# Home", "guides/start.md": "# Start" }, async (site) => {
            assert.match(
                await site.read("guides/start.html"),
                /<link rel="canonical" href="https:\/\/docs.example.com\/guides\/start">/,
            );
            const addresses = [...(await site.read("sitemap.xml")).matchAll(/<loc>(.*?)<\/loc>/g)].map(
                (match) => match[1],
            );
            assert.deepEqual(addresses, ["https://docs.example.com/", "https://docs.example.com/guides/start"]);
        });
    });

    it("copies files that are not pages, and skips hidden files, configuration, and files of programs", async () => {
        const files = {
            "index.md": "# Home",
            "images/a.png": "png",
            "files/data.json": "{}",
            ".env": "SECRET=1",
            "_drafts/b.md": "# B",
            "package.json": "{}",
            "Pulumi.yaml": "name: docs",
            "Pulumi.dev.yaml": "encryptionsalt: v1",
            "requirements.txt": "pulumi",
            id_ed25519: "key",
            "venv/pyvenv.cfg": "home = /usr/bin",
            "venv/lib/README.md": "# Package",
            "api/__pycache__/a.pyc": "bytes",
            "node_modules/x/index.js": "x",
        };
        await withExport(files, async (site) => {
            assert.deepEqual(await site.files(), [
                ".well-known/llms-full.txt",
                ".well-known/llms.txt",
                "404.html",
                "files/data.json",
                "images/a.png",
                "index.html",
                "index.md",
                "llms-full.txt",
                "llms.txt",
                "robots.txt",
                "sitemap.xml",
            ]);
            assert.equal(await site.read("images/a.png"), "png");
        });
    });

    it("redirects the root address to the first page if there is no index page", async () => {
        await withExport({ "intro.md": "# Intro" }, async (site) => {
            assert.match(await site.read("index.html"), /http-equiv="refresh" content="0; url=intro.html"/);
        });
    });

    it("keeps the site's own robots.txt and 404 page", async () => {
        await withExport({ "index.md": "# Home", "robots.txt": "mine", "404.md": "# Gone" }, async (site) => {
            assert.equal(await site.read("robots.txt"), "mine");
            assert.match(await site.read("404.html"), /<h1 id="gone">Gone<\/h1>/);
        });
    });

    it("fails with the first warning in strict mode, and succeeds without warnings", async () => {
        const files = { "index.md": "# Home\n\n[a](/gone) [b](/lost)" };
        assert.equal(
            await failureOf(files, { strict: true }),
            "index.md:3: the link /gone leads to no page and no file of this site (and 1 more warning)",
        );
        assert.equal(await failureOf({ "index.md": "# Home" }, { strict: true }), "no failure");
    });

    it("returns at most 500 warnings, and counts all warnings", async () => {
        const links = Array.from({ length: 700 }, (_, index) => `[x](/gone-${index})`).join("\n\n");
        await withExport({ "index.md": links }, ({ warnings, warningCounts }) => {
            assert.equal(warnings.length, 500);
            assert.deepEqual(warningCounts, { link: 700 });
        });
    });

    it("lists a repeated warning once, with the number of its places and the first few places", async () => {
        const pages = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`p${index + 10}.md`, "[x](/gone)"]));
        await withExport({ ...pages, "q.md": "[y](/lost)" }, ({ warnings, warningCounts }) => {
            const [gone, lost, ...others] = warnings;
            assert.deepEqual([gone?.file, gone?.line, gone?.elsewhere?.count], ["p10.md", 1, 29]);
            assert.deepEqual(gone?.elsewhere?.places.slice(0, 2), [
                { file: "p11.md", line: 1 },
                { file: "p12.md", line: 1 },
            ]);
            assert.equal(gone?.elsewhere?.places.length, 20);
            assert.deepEqual([lost?.file, lost?.elsewhere, others], ["q.md", undefined, []]);
            assert.deepEqual(warningCounts, { link: 31 });
        });
    });

    it("writes the version to one file, and differs in nothing else from an export with another version", async () => {
        const files: Record<string, string>[] = [];
        for (const version of ["2026-11-01 <b>", "2", undefined]) {
            await withExport(
                { "index.md": "# Home\n\nText.", "docs.json": '{"name":"Docs"}', "a/b.md": "# B" },
                async (site) => {
                    const names = await listFiles(site.outDir);
                    files.push(
                        Object.fromEntries(
                            await Promise.all(names.map(async (name) => [name, await site.read(name)] as const)),
                        ),
                    );
                },
                version === undefined ? {} : { version },
            );
        }
        const [first = {}, second = {}, third = {}] = files;
        const { "static-export/version.json": label, ...others } = first;
        assert.deepEqual(JSON.parse(label ?? ""), { version: "2026-11-01 <b>" });
        assert.deepEqual(second, { ...others, "static-export/version.json": '{"version":"2"}\n' });
        assert.deepEqual(third, others);
    });

    it("writes pages that load nothing from other sites", async () => {
        await withExport({ "index.md": "# Home\n\n```ts\nconst a = 1;\n```" }, async (site) => {
            for (const file of await listFiles(site.outDir)) {
                const text = await site.read(file);
                assert.doesNotMatch(text, /(?:src|stylesheet" href)="https?:|url\(["']?https?:|@import/, file);
            }
        });
    });

    it("fails if the site has no pages or the folder does not exist", async () => {
        assert.match(
            await failureOf({ "a.txt": "a" }),
            /the site has no pages: there is no \.md, \.mdx or index\.html file/,
        );
        assert.match(await failureOf({ "a.md": "---\nhidden: true\n---\n" }), /every page of the site is hidden/);
        assert.match(await failureOf({}, { sourceDir: "/does/not/exist" }), /^\.: the site's folder does not exist$/);
    });

    it("does not write into a non-empty folder", async () => {
        await withFolder(async (folder) => {
            await writeFiles(folder, { "site/index.md": "# Home", "out/old.html": "old" });
            const exporting = exportSite({
                sourceDir: join(folder, "site"),
                outDir: join(folder, "out"),
                domain: "d.example.com",
            });
            await assert.rejects(exporting, /is not empty/);
            assert.deepEqual(await listFiles(join(folder, "out")), ["old.html"]);
        });
    });

    it("reports progress from zero to the last page", async () => {
        const seen: string[] = [];
        const onProgress = ({ pagesDone, pagesTotal }: { pagesDone: number; pagesTotal: number }) =>
            seen.push(`${pagesDone}/${pagesTotal}`);
        await withExport({ "index.md": "# Home", "a.md": "# A" }, () => undefined, { onProgress });
        assert.deepEqual(seen, ["0/2", "1/2", "2/2"]);
    });

    it("yields to other work while it runs", async () => {
        const files = Object.fromEntries(
            Array.from({ length: 60 }, (_, index) => [`p${index}.md`, `# P\n\n${"- text `code`\n".repeat(600)}`]),
        );
        let turns = 0;
        let running = true;
        const count = async () => {
            while (running) {
                await setImmediate();
                turns += 1;
            }
        };
        const counting = count();
        await withExport({ "index.md": "# Home", ...files }, () => undefined);
        running = false;
        await counting;
        assert.ok(turns > 10, `${turns} turns`);
    });

    it("stops if it is aborted, before the start or during the export", async () => {
        await assert.rejects(
            withExport({ "index.md": "# Home" }, () => undefined, { signal: AbortSignal.abort(new Error("stop")) }),
            /^Error: stop$/,
        );
        const controller = new AbortController();
        let pages = 0;
        const onProgress = () => {
            pages += 1;
            if (pages === 3) {
                controller.abort(new Error("enough"));
            }
        };
        const files = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index}.md`, "# P"]));
        await assert.rejects(
            withExport(files, () => undefined, { signal: controller.signal, onProgress }),
            /^Error: enough$/,
        );
        assert.equal(pages, 3);
    });

    it("excludes its output and its cache if they are inside the site", async () => {
        await withFolder(async (folder) => {
            await writeFile(join(folder, "index.md"), "# Home");
            const options = { sourceDir: folder, domain: "d.example.com", cacheDir: join(folder, "cache") };
            await exportSite({ ...options, outDir: join(folder, "one") });
            await exportSite({ ...options, outDir: join(folder, "one", "two") });
            assert.ok(!(await listFiles(join(folder, "one", "two"))).some((file) => file.includes("cache/")));
        });
    });
});
