import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Files, withExport } from "../support/site-fixture.js";

const reason =
    "the site has pages for certain readers, and no page of the export names this file, so it is left out. Link to it from a public page to publish it";

const secret = (text: string, limits = "groups: [a]") => `---\n${limits}\n---\n\n${text}\n`;

/** Ways to use a file that the renderer does not resolve. */
const unusual = (file: string) => [
    `<div className="bg-[url(/${file})]" />`,
    `<div data-plan="/${file}" />`,
    `[Text](https://docs.example.com/${file})`,
    `<img data-src="/${file.replaceAll(" ", "%20")}" />`,
];

describe("A file that no page uses in a site with private pages", () => {
    const published = async (files: Files, options = {}): Promise<string[]> => {
        let found: string[] = [];
        await withExport(files, async (site) => void (found = await site.files()), options);
        return found.filter((file) => Object.keys(files).includes(file) && !/\.mdx?$/.test(file));
    };

    it("is left out if only a private page mentions it, regardless of the notation", async () => {
        for (const file of ["files/secret.png", "secret.pdf", "files/my secret (1).pdf"]) {
            for (const text of unusual(file)) {
                const site = { "index.mdx": "# Home", "a.mdx": secret(text), [file]: "secret" };
                assert.deepEqual(await published(site), [], text);
            }
        }
    });

    it("is published if a public page mentions it, regardless of the notation", async () => {
        for (const file of ["files/open.png", "open.pdf", "files/my open (1).pdf"]) {
            for (const text of unusual(file)) {
                const site = { "index.mdx": text, "a.mdx": secret("Text"), [file]: "open" };
                assert.deepEqual(await published(site), [file], text);
            }
        }
    });

    it("is published if a file that a public page loads mentions it, directly or indirectly", async () => {
        const site = {
            "docs.json": JSON.stringify({ name: "Docs", navigation: { pages: ["index", "a"] }, other: "/set.json" }),
            "index.mdx": 'import { Own } from "/snippets/own.jsx";\n\n<Own /> [Demo](/demo/start.html)',
            "a.mdx": secret("[Secret](/secret.html)"),
            "snippets/own.jsx": 'export const Own = () => <p data-file="/files/of-snippet.png">x</p>;',
            "demo/start.html": '<script src="app.js"></script>',
            "demo/app.js": 'load("./data/more.json");',
            "demo/data/more.json": "{}",
            "site.css": 'main { --file: "/files/of-style.png" }',
            "set.json": "{}",
            "files/of-snippet.png": "1",
            "files/of-style.png": "2",
            "secret.html": '<img src="secret.png">',
            "secret.png": "3",
        };
        assert.deepEqual(await published(site), [
            "demo/app.js",
            "demo/data/more.json",
            "demo/start.html",
            "files/of-snippet.png",
            "files/of-style.png",
            "set.json",
            "site.css",
        ]);
    });

    it("is distinguished from a file with the same name that a public page mentions", async () => {
        const files = { "open/plan.pdf": "1", "private/plan.pdf": "2" };
        for (const text of ["[Plan](https://docs.example.com/open/plan.pdf)", '<object data="open/plan.pdf" />']) {
            assert.deepEqual(await published({ "index.mdx": text, "a.mdx": secret("x"), ...files }), ["open/plan.pdf"]);
        }
    });

    it("is limited to the readers of the private pages that mention it, if readers are restricted", async () => {
        const [ofClass = "", named = ""] = unusual("of-two.png");
        const [ofOpen = "", alsoOpen = ""] = unusual("open.png");
        const site = {
            "index.mdx": ofOpen,
            "a.mdx": secret(`${ofClass.replace("two", "a")}\n\n${named}\n\n${alsoOpen}`),
            "b.mdx": secret(named, "groups: [b]"),
            "nobody.mdx": secret("![](/of-nobody.png) ", "groups: []"),
            "of-a.png": "1",
            "of-two.png": "2",
            "open.png": "3",
            "of-nobody.png": "4",
            "unnamed.png": "5",
        };
        const options = { privatePages: "keep-apart" } as const;
        assert.deepEqual(await published(site, options), ["of-a.png", "of-two.png", "open.png"]);
        await withExport(
            site,
            async ({ outDir }) => {
                const { files } = JSON.parse(await readFile(join(outDir, "access.json"), "utf8")) as {
                    files: Record<string, string[]>;
                };
                assert.deepEqual(files["of-a.png"], ["a"]);
                assert.deepEqual(files["of-two.png"], ["a", "b"]);
                assert.equal(files["open.png"], undefined);
            },
            options,
        );
    });

    it("shares one warning with all other files that are left out, except files that private pages use", async () => {
        const site = {
            "index.md": "# Home",
            "a.md": secret("![](/used.png)"),
            "used.png": "1",
            "b.pdf": "2",
            "c.pdf": "3",
        };
        await withExport(site, ({ warnings }) => {
            const found = warnings.filter((warning) => warning.reason === reason);
            assert.deepEqual(found, [
                {
                    kind: "access",
                    file: "b.pdf",
                    line: undefined,
                    reason,
                    elsewhere: { count: 1, places: [{ file: "c.pdf", line: undefined }] },
                },
            ]);
        });
    });

    it("is published if browsers and crawlers request it by its name", async () => {
        const files = { "apple-touch-icon.png": "1", "google0123abcd.html": "2", CNAME: "3", "x/CNAME": "4" };
        assert.deepEqual(await published({ "index.md": "# Home", "a.md": secret("x"), ...files }), [
            "CNAME",
            "apple-touch-icon.png",
            "google0123abcd.html",
        ]);
    });

    it("is published if a public page that was not requested mentions it", async () => {
        const site = { "index.md": "# Home", "b.md": "![](/b.png)", "a.md": secret("x"), "b.png": "1", "c.png": "2" };
        assert.deepEqual(await published(site, { paths: ["/index"] }), ["b.png"]);
    });
});

describe("A file that no page uses in a site without private pages", () => {
    it("is published", async () => {
        await withExport({ "index.md": "# Home", "unused.png": "1" }, async ({ files, warnings }) => {
            assert.ok((await files()).includes("unused.png"));
            assert.deepEqual(warnings, []);
        });
    });

    it("is published if all pages are published to everybody", async () => {
        const site = { "index.md": "# Home", "a.md": secret("x"), "unused.png": "1" };
        const options = { privatePages: "publish" } as const;
        await withExport(site, async ({ files }) => assert.ok((await files()).includes("unused.png")), options);
    });
});
