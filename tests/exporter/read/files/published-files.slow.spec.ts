import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exportSite } from "../../../../exporter/src/write/export-site.js";
import { exportWithLinks, type Links, refusalOf, secret } from "../../support/linked-site.js";
import { failureOf, withExport, withFolder, writeFiles } from "../../support/site-fixture.js";

describe("A symbolic link in a site", () => {
    const never = "this link leads to a file or folder that is never published";
    const outside = "this link leaves the site's folder, and nothing outside is published";
    const leftOut: [string, Links, string[]][] = [
        ["a file outside", { "s.txt": "../outside/secret.txt" }, [`s.txt: ${outside}`]],
        [
            "a folder outside, through one inside",
            { up: "..", "s.txt": "up/outside/secret.txt" },
            [`s.txt: ${outside}`, `up: ${outside}`],
        ],
        ["an absolute path", { passwd: "/etc/passwd" }, [`passwd: ${outside}`]],
        ["nothing", { "gone.md": "nowhere.md" }, ["gone.md: this link leads nowhere"]],
        ["itself", { "loop.txt": "loop.txt" }, ["loop.txt: this link leads nowhere"]],
        ["the key in the data folder", { "key.txt": ".static-export/admin-api-key" }, [`key.txt: ${never}`]],
        ["the data folder", { data: ".static-export" }, [`data: ${never}`]],
        ["the repository's own files", { "a/git": "../.git" }, [`a/git: ${never}`]],
        ["an environment file, as a page", { "env.md": ".env" }, [`env.md: ${never}`]],
        ["a draft", { "plan.md": "_drafts/plan.md" }, [`plan.md: ${never}`]],
        ["dependencies", { lib: "node_modules/x" }, [`lib: ${never}`]],
        ["a hidden file through a folder's link", { "s.txt": "here/.env", here: "." }, [`s.txt: ${never}`]],
    ];
    for (const [what, links, messages] of leftOut) {
        it(`is left out if it leads to ${what}, with a warning that does not reveal its content`, async () => {
            const warnings: string[] = [];
            const published = await exportWithLinks({ links }, warnings);
            assert.ok(Array.isArray(published), String(published));
            const isBelowLink = (file: string) => Object.keys(links).some((link) => `${file}/`.startsWith(`${link}/`));
            assert.ok(!published.some(isBelowLink), published.join(" "));
            assert.deepEqual(
                warnings,
                messages.map((message) => `${message}, so it is left out`),
            );
        });
    }

    it("fails a strict export if it is left out", async () => {
        const message = await refusalOf({
            links: { "s.txt": "../outside/secret.txt" },
            options: () => ({ strict: true }),
        });
        assert.equal(message, `s.txt: ${outside}, so it is left out`);
    });

    it("is followed if it leads to published files, including a folder or a parent folder", async () => {
        const links = { "b.txt": "a.txt", "other/more": "../guides", "guides/up": ".." };
        const published = await exportWithLinks({ files: { "site/a.txt": "a", "site/guides/x.txt": "x" }, links });
        assert.ok(Array.isArray(published), String(published));
        assert.ok(["a.txt", "b.txt", "guides/x.txt", "other/more/x.txt"].every((file) => published.includes(file)));
    });

    it("is refused as docs.json if it leads out of the site or to hidden files", async () => {
        assert.equal(await refusalOf({ links: { "docs.json": "../outside/secret.txt" } }), `docs.json: ${outside}`);
        assert.equal(await refusalOf({ links: { "docs.json": ".env" } }), `docs.json: ${never}`);
    });

    it("is followed as docs.json if it leads to another folder of the site", async () => {
        const files = { "site/en/docs.json": '{ "navigation": { "pages": ["gone"] } }' };
        const refusal = await refusalOf({ files, links: { "docs.json": "en/docs.json" } });
        assert.match(refusal, /^docs\.json:1: navigation lists no page/);
    });
});

describe("The service's data folder", () => {
    const options = (folder: string) => ({ excludedDirs: [join(folder, "site", "data")] });

    it("is never published, regardless of its name", async () => {
        const published = await exportWithLinks({ files: { "site/data/link-secret": secret }, options });
        assert.ok(Array.isArray(published), String(published));
        assert.ok(!published.some((file) => file.startsWith("data/")));
    });

    it("is never published through a symbolic link", async () => {
        const files = { "site/data/link-secret": secret };
        const warnings: string[] = [];
        for (const links of [{ "s.txt": "data/link-secret" }, { d: "data" }]) {
            const published = await exportWithLinks({ files, links, options }, warnings);
            assert.ok(Array.isArray(published), String(published));
            assert.ok(!published.some((file) => /^(?:s|d)\b/.test(file)), published.join(" "));
        }
        const never = "this link leads to a file or folder that is never published, so it is left out";
        assert.deepEqual(warnings, [`s.txt: ${never}`, `d: ${never}`]);
    });

    it("is never accepted as a site", async () => {
        assert.match(
            await refusalOf({ options: (folder) => ({ excludedDirs: [folder] }) }),
            /^\.: the site's folder is inside a folder that is never published$/,
        );
    });
});

describe("A file that is replaced between scan and copy", () => {
    const replaced = /the file was replaced while the site was exported: start the export again$/;

    /** Runs `change` after the scan, before any file is copied. */
    async function failureAfter(change: (folder: string) => void): Promise<string> {
        let message = "no failure";
        await withFolder(async (folder) => {
            await writeFiles(folder, {
                "site/index.md": "# Home",
                "site/files/a.txt": "a",
                "outside/a.txt": secret,
            });
            try {
                await exportSite({
                    sourceDir: join(folder, "site"),
                    outDir: join(folder, "out"),
                    domain: "docs.example.com",
                    onProgress: ({ pagesDone }) => (pagesDone === 0 ? change(folder) : undefined),
                });
            } catch (error) {
                message = (error as Error).message;
            }
        });
        return message;
    }

    it("is not published if replaced by a link", async () => {
        const message = await failureAfter((folder) => {
            rmSync(join(folder, "site/files/a.txt"));
            symlinkSync("../../outside/a.txt", join(folder, "site/files/a.txt"));
        });
        assert.match(message, replaced);
    });

    it("is not published if replaced by another file", async () => {
        const message = await failureAfter((folder) => {
            renameSync(join(folder, "outside/a.txt"), join(folder, "site/files/a.txt"));
        });
        assert.match(message, replaced);
    });

    it("is not published if its folder is replaced by a link", async () => {
        const message = await failureAfter((folder) => {
            renameSync(join(folder, "site/files"), join(folder, "files"));
            symlinkSync("../outside", join(folder, "site/files"));
        });
        assert.match(message, replaced);
    });

    it("does not delay the export if replaced by a pipe", async () => {
        const message = await failureAfter((folder) => {
            rmSync(join(folder, "site/files/a.txt"));
            execFileSync("mkfifo", [join(folder, "site/files/a.txt")]);
        });
        assert.match(message, replaced);
    });

    it("is published with its new content if only the content changes", async () => {
        const message = await failureAfter((folder) => writeFileSync(join(folder, "site/files/a.txt"), "new"));
        assert.equal(message, "no failure");
    });
});

describe("Source files and the files of editors and repositories", () => {
    const files = {
        "index.md": "# Home\n\n[The component](./button.jsx)",
        "button.jsx": "<button/>",
        "other.jsx": "<b/>",
        "theme.tsx": "x",
        "notes.md~": "x",
        "server.pem": "x",
        "yarn.lock": "x",
        LICENSE: "x",
        "script.js": "x",
    };

    it("are published only if a page links to them", async () => {
        await withExport(files, async (site) => {
            const published = (await site.files()).filter((file) => !/html$|^robots|^sitemap|\.md$|llms/.test(file));
            assert.deepEqual(published, ["button.jsx", "script.js"]);
            assert.deepEqual(site.warnings, []);
        });
    });

    it("are published even if the page that links to them comes from the cache", async () => {
        await withFolder(async (cacheDir) => {
            for (const reused of [0, 1]) {
                await withExport(
                    files,
                    async (site) => {
                        assert.equal(site.reusedCount, reused);
                        assert.ok((await site.files()).includes("button.jsx"));
                    },
                    { cacheDir },
                );
            }
        });
    });
});

describe("A file that archive tools refuse to unpack", () => {
    const deep = Array.from({ length: 64 }, (_, index) => `d${index}`).join("/");
    const leftOut: [string, string, RegExp][] = [
        [
            "with a line break",
            "a\nb.txt",
            /^a b\.txt: its name in the bundle has a control character, such as a line break: rename or move it\. Until then, the file is left out$/,
        ],
        [
            "with an escape sequence",
            "a\u001b[2Jb.txt",
            /^a\?\[2Jb\.txt: its name in the bundle has a control character/,
        ],
        ["with a backslash", "a\\b.txt", /^a\\b\.txt: its name in the bundle has a backslash/],
        ["with a drive letter", "c:a.txt", /^c:a\.txt: its name in the bundle begins like a drive/],
        [
            "in more than 64 levels",
            `${deep}/a.txt`,
            /: its name in the bundle has more than 64 levels: rename or move it\./,
        ],
    ];
    for (const [what, file, message] of leftOut) {
        it(`is left out with a warning on one line: ${what}`, async () => {
            await withExport({ "index.md": "# Home", [file]: "x" }, async (site) => {
                const [warning, ...others] = site.warnings.map(({ file: place, reason }) => `${place}: ${reason}`);
                assert.match(warning ?? "", message);
                assert.doesNotMatch(warning ?? "", /\n/);
                assert.deepEqual(others, []);
                assert.deepEqual(
                    await site.files().then((files) => files.filter((name) => /\b[ab]\.txt$/.test(name))),
                    [],
                );
            });
        });
    }

    const refused: [string, string, RegExp][] = [
        [
            "with a line break, of a page",
            "a\n12:00 forged.md",
            /^a 12:00 forged\.md: its name in the bundle has a control character/,
        ],
        [
            "of a page that is too long with .html",
            `${"p".repeat(252)}.md`,
            /has a part of more than 255 bytes: rename or move it$/,
        ],
    ];
    for (const [what, file, message] of refused) {
        it(`fails the export with the file and the reason on one line: ${what}`, async () => {
            const found = await failureOf({ "index.md": "# Home", [file]: "x" });
            assert.match(found, message);
            assert.doesNotMatch(found, /\n/);
        });
    }

    it("fails the export if its name is not UTF-8", async () => {
        await withFolder(async (folder) => {
            await writeFiles(folder, { "site/index.md": "# Home" });
            writeFileSync(Buffer.from(`${folder}/site/\xff.txt`, "latin1"), "x");
            await assert.rejects(
                exportSite({ sourceDir: join(folder, "site"), outDir: join(folder, "out"), domain: "d.example.com" }),
                /its name is not valid UTF-8: rename it$/,
            );
        });
    });

    it("fails the export if the name of a folder is not UTF-8", async () => {
        await withFolder(async (folder) => {
            await writeFiles(folder, { "site/index.md": "# Home" });
            mkdirSync(Buffer.from(`${folder}/site/\xff`, "latin1"));
            await assert.rejects(
                exportSite({ sourceDir: join(folder, "site"), outDir: join(folder, "out"), domain: "d.example.com" }),
                /^SiteError: \uFFFD: its name is not valid UTF-8: rename it$/,
            );
        });
    });

    it("has no effect if the file is not published", async () => {
        assert.equal(await failureOf({ "index.md": "# Home", ".hidden/a\nb.txt": "x" }), "no failure");
    });
});

describe("A page of more than 5 MiB", () => {
    it("fails the export before it is parsed", async () => {
        const message = await failureOf({ "index.md": "x".repeat(5 * 1024 * 1024 + 1) });
        assert.equal(
            message,
            "index.md: the file has 5242881 bytes, but a page may have at most 5242880: split the file",
        );
    });
});
