import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { exportSite } from "../../../exporter/src/write/export-site.js";
import {
    type Files,
    failureOf,
    listFiles,
    sidebarOf,
    withExport,
    withFolder,
    writeFiles,
} from "../support/site-fixture.js";
import { privateSite } from "../support/private-site.js";

const privatePages = "keep-apart";

/** Returns a page whose text, title, path and picture contain a word that no other page contains. */
const page = (word: string, limits: string, more = "") =>
    `---\ntitle: Title ${word}\ndescription: About ${word}\n${limits}\n---\n\nText ${word} ![](/images/${word}.png) ${more}\n`;

const words = {
    aardvark: "groups: [a]",
    badger: "groups: [b]",
    giraffe: "groups: [b, a]",
    dingo: "public: false",
    ocelot: "",
};

const site: Files = {
    ...Object.fromEntries(
        Object.entries(words).map(([word, limits]) => [
            `pages/${word}.md`,
            page(word, limits, "![](/images/shared.png)"),
        ]),
    ),
    ...Object.fromEntries(Object.keys(words).map((word) => [`images/${word}.png`, word])),
    "images/shared.png": "shared",
    "pages/aardvark.md": page("aardvark", "groups: [a]", "![](/images/of-two.png)"),
    "pages/badger.md": page("badger", "groups: [b]", "![](/images/of-two.png)"),
    "images/of-two.png": "two",
    "docs.json": JSON.stringify({
        name: "Docs",
        navigation: {
            groups: [
                {
                    group: "All",
                    root: "pages/ocelot",
                    directory: "card",
                    pages: ["aardvark", "badger", "giraffe", "dingo"].map((word) => `pages/${word}`),
                },
            ],
        },
        redirects: [{ source: "/old", destination: "/pages/aardvark" }],
    }),
};

type Access = Record<string, string[]>;

const readAccess = async (outDir: string): Promise<Access> =>
    (JSON.parse(await readFile(join(outDir, "access.json"), "utf8")) as { files: Access }).files;

/**
 * Returns all content that a reader gets: public files, and files for the reader.
 *
 * @param groups undefined if the reader is not signed in
 */
async function textsFor(outDir: string, groups: readonly string[] | undefined): Promise<string> {
    const access = await readAccess(outDir);
    const isReadable = (file: string) => {
        const needed = access[file];
        return (
            needed === undefined ||
            (groups !== undefined && (needed.length === 0 || needed.some((group) => groups.includes(group))))
        );
    };
    const files = (await listFiles(outDir)).filter((file) => file !== "access.json" && isReadable(file));
    return (await Promise.all(files.map(async (file) => file + (await readFile(join(outDir, file), "utf8"))))).join(
        "\n",
    );
}

describe("an export that restricts readers", () => {
    it("keeps everything about a private page out of the public files", async () => {
        await withExport(
            privateSite,
            async ({ outDir, files }) => {
                assert.doesNotMatch(await textsFor(outDir, undefined), /zebra/i);
                assert.ok((await files()).includes("guides/zebra-one.html"));
            },
            { privatePages },
        );
    });

    it("provides each reader with all allowed pages and no other pages", async () => {
        await withExport(
            site,
            async ({ outDir }) => {
                const readers = [
                    { groups: undefined, reads: ["ocelot"] },
                    { groups: [], reads: ["ocelot", "dingo"] },
                    { groups: ["other"], reads: ["ocelot", "dingo"] },
                    { groups: ["a"], reads: ["ocelot", "dingo", "aardvark", "giraffe"] },
                    { groups: ["b"], reads: ["ocelot", "dingo", "badger", "giraffe"] },
                    { groups: ["a", "b"], reads: Object.keys(words) },
                ];
                for (const { groups, reads } of readers) {
                    const text = await textsFor(outDir, groups);
                    const found = Object.keys(words).filter((word) => new RegExp(word, "i").test(text));
                    assert.deepEqual(found.sort(), reads.sort(), `for ${JSON.stringify(groups)}`);
                }
            },
            { privatePages },
        );
    });

    it("shows only content that all readers of the page may read, in the navigation and in cards", async () => {
        await withExport(
            site,
            async ({ read }) => {
                const listed = async (word: string) =>
                    sidebarOf(await read(`pages/${word}.html`)).map(([, title]) => title.replace("Title ", ""));
                assert.deepEqual(await listed("ocelot"), ["ocelot"]);
                assert.deepEqual(await listed("aardvark"), ["ocelot", "aardvark", "giraffe", "dingo"]);
                assert.deepEqual(await listed("giraffe"), ["ocelot", "giraffe", "dingo"]);
                assert.deepEqual(await listed("dingo"), ["ocelot", "dingo"]);
            },
            { privatePages },
        );
    });

    it("lists files with their groups as documented, and pictures with the groups of all their pages", async () => {
        const files = {
            "index.md": "# Home\n\n![](/shared.png)",
            "guides/secret.md": page("secret", "groups: [staff, admins]", "![](/shared.png) ![](/two.png)"),
            "other.md": page("other", "groups: [staff]", "![](/two.png)"),
            "signed-in.md": "---\npublic: false\n---\n# Signed in\n",
            "images/secret.png": "secret",
            "shared.png": "shared",
            "two.png": "two",
            "unused.png": "unused",
        };
        await withExport(
            files,
            async ({ outDir }) => {
                const text = await readFile(join(outDir, "access.json"), "utf8");
                assert.equal(
                    text.replace(/^ {4}"_private\/.*\n/gm, ""),
                    `{
  "formatVersion": 1,
  "files": {
    "guides/secret.html": ["admins", "staff"],
    "guides/secret.md": ["admins", "staff"],
    "images/secret.png": ["admins", "staff"],
    "other.html": ["staff"],
    "other.md": ["staff"],
    "signed-in.html": [],
    "signed-in.md": [],
    "static-export/bundle.json": [],
    "two.png": ["admins", "staff"]
  }
}
`,
                );
                const published = await listFiles(outDir);
                assert.ok(!published.includes("unused.png"));
                assert.deepEqual(
                    Object.keys(await readAccess(outDir)).filter((file) => !published.includes(file)),
                    [],
                );
            },
            { privatePages },
        );
    });

    it("lists no files for a site without private pages, and lists files with the path of the site", async () => {
        await withExport(
            { "index.md": "# Home" },
            async ({ outDir }) => {
                const text = await readFile(join(outDir, "access.json"), "utf8");
                assert.equal(text, '{\n  "formatVersion": 1,\n  "files": {}\n}\n');
            },
            { privatePages },
        );
        await withExport(
            { "index.md": "# Home", "a.md": "---\ngroups: [a]\n---\n![](a.png)", "a.png": "a" },
            async ({ outDir }) => {
                const listed = Object.keys(await readAccess(outDir)).filter((file) => !file.includes("_private"));
                assert.deepEqual(listed, ["docs/a.html", "docs/a.md", "docs/a.png", "static-export/bundle.json"]);
            },
            { privatePages, basePath: "docs" },
        );
    });

    it("exports a site with only private pages, and restricts the root address like the first page", async () => {
        await withExport(
            { "hippo.md": "---\ngroups: [a]\n---\n# Hippo" },
            async ({ outDir }) => {
                assert.deepEqual((await readAccess(outDir))["index.html"], ["a"]);
                assert.doesNotMatch(await textsFor(outDir, undefined), /hippo/i);
            },
            { privatePages },
        );
    });

    it("refuses names that a line-by-line parser could misread", async () => {
        const group = (name: string) => ({ "index.md": "# Home", "a.md": `---\ngroups: ['${name}']\n---\n` });
        const reason = "must have no quotes, backslashes or control characters, and no space at its ends";
        for (const name of ['say "x"', "back\\slash", " space"]) {
            assert.equal(
                await failureOf(group(name), { privatePages }),
                `a.md:2: the name of the group ${JSON.stringify(name)} ${reason}`,
            );
        }
        assert.equal(
            await failureOf({ "index.md": "# Home", 'a".md': "---\ngroups: [a]\n---\n" }, { privatePages }),
            'a".html: the name of a private file must not contain a quote: rename the file',
        );
    });

    it("fails if a site file is named like the access list or is in the export's own folder", async () => {
        for (const [file, reason] of [
            [
                "access.json",
                /^access\.json: the export reserves the name access\.json in the site's folder .*rename the file/,
            ],
            ["Access.JSON", /^Access\.JSON: the export reserves the name access\.json in the site's folder /],
            ["_private/1/utilities.css", /^_private\/1\/utilities\.css: the export reserves the folders _private\/1\//],
        ] as const) {
            const site = { "index.md": "# Home", "a.md": "---\ngroups: [a]\n---\n", [file]: "{}" };
            assert.match(await failureOf(site, { privatePages }), reason);
            assert.match(await failureOf(site), reason);
        }
        await withExport({ "index.md": "# Home", "data/access.json": "{}" }, async ({ files }) => {
            assert.ok((await files()).includes("data/access.json"));
        });
    });

    it("leaves out a page that no reader may read, with a warning", async () => {
        await withFolder(async (folder) => {
            const sourceDir = join(folder, "site");
            const outDir = join(folder, "out");
            await writeFiles(sourceDir, { "index.md": "# Home", "a.md": "---\ngroups: []\n---\n# A" });
            const { warnings } = await exportSite({ sourceDir, outDir, domain: "docs.example.com", privatePages });
            assert.deepEqual(
                warnings.map(({ file, line, reason }) => `${file}:${line}: ${reason}`),
                [
                    "a.md:2: groups: no reader may read the page, so it is left out. The value of groups must be " +
                        "a list of names",
                ],
            );
            assert.ok(!(await listFiles(outDir)).includes("a.html"));
        });
    });
});
