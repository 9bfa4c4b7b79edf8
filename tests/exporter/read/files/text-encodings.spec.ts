import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decodeText } from "../../../../exporter/src/read/files/decode-text.js";
import { exportSite } from "../../../../exporter/src/write/export-site.js";
import { exportPage, listFiles, withFolder } from "../../support/site-fixture.js";

const bigEndian = (text: string) => Buffer.from(text, "utf16le").swap16();

/** The ways in which editors store a text, with and without a byte order mark. */
const encodings: Record<string, (text: string) => Buffer> = {
    "UTF-8": (text) => Buffer.from(text),
    "UTF-8 with a mark": (text) => Buffer.from(`\uFEFF${text}`),
    "UTF-16, little endian": (text) => Buffer.from(`\uFEFF${text}`, "utf16le"),
    "UTF-16, big endian": (text) => bigEndian(`\uFEFF${text}`),
    "UTF-16, little endian, without a mark": (text) => Buffer.from(text, "utf16le"),
    "UTF-16, big endian, without a mark": (text) => bigEndian(text),
    "UTF-8 with CRLF": (text) => Buffer.from(text.replaceAll("\n", "\r\n")),
    "UTF-8 with CR": (text) => Buffer.from(text.replaceAll("\n", "\r")),
    "UTF-16 with CRLF": (text) => Buffer.from(`\uFEFF${text.replaceAll("\n", "\r\n")}`, "utf16le"),
};

interface Exported {
    readonly pages: readonly string[];
    readonly warnings: readonly string[];
}

async function exportBytes(files: Readonly<Record<string, Buffer | string>>, link?: string): Promise<Exported> {
    return withFolder(async (folder) => {
        const [sourceDir, outDir] = [join(folder, "site"), join(folder, "out")];
        await mkdir(sourceDir);
        for (const [file, bytes] of Object.entries(files)) {
            await writeFile(join(sourceDir, file), bytes);
        }
        if (link !== undefined) {
            await symlink(link, join(sourceDir, ".mintignore"));
        }
        const { warnings } = await exportSite({ sourceDir, outDir, domain: "docs.example.com" });
        const pages = (await listFiles(outDir)).filter((file) => file.endsWith(".html") && file !== "404.html");
        return { pages, warnings: warnings.map(({ file, line, reason }) => `${file}:${line}: ${reason}`) };
    });
}

describe("A text file of a site", () => {
    it("contains no zero bytes, which HTML does not allow", () => {
        assert.equal(decodeText(Buffer.from("a b\0c\n")), "a b\uFFFDc\n");
    });

    for (const [name, encode] of Object.entries(encodings)) {
        it(`is decoded, with one form of line ends: ${name}`, () => {
            assert.equal(decodeText(encode("a é 文\n\nb\n")), "a é 文\n\nb\n");
        });

        it(`keeps pages back as .mintignore: ${name}`, async () => {
            const files = { "index.md": "# Home", "a.draft.md": "# A", "b.draft.md": "# B", "ü.md": "# U" };
            const { pages, warnings } = await exportBytes({
                ...files,
                ".mintignore": encode("a.draft.md\nb.draft.md\nü.md\n"),
            });
            assert.deepEqual([pages, warnings], [["index.html"], []]);
        });

        it(`keeps a draft back: ${name}`, async () => {
            const { pages } = await exportBytes({
                "index.md": "# Home",
                "a.md": encode("---\ntitle: A\ndraft: true\n---\n\nText\n"),
            });
            assert.deepEqual(pages, ["index.html"]);
        });
    }

    it("shows GitBook's tags and the titles of code in the same way with each form of line ends", async () => {
        const hint = '{% hint style="info" %}\nRead this.\n{% endhint %}\n\n';
        const gitBook = `${hint}{% tabs %}\n{% tab title="One" %}\nText\n{% endtab %}\n{% endtabs %}\n`;
        const code = '<b>Raw</b>\n\n```js title="a.js" {1}\nlet a;\n```\n';
        for (const text of [gitBook, code]) {
            const expected = await exportPage("a.md", text);
            assert.equal(await exportPage("a.md", text.replaceAll("\n", "\r\n")), expected);
            assert.equal(await exportPage("a.md", text.replaceAll("\n", "\r")), expected);
        }
    });

    it("is a warning with its line in another encoding", async () => {
        const reason = "the file is not UTF-8, so its letters are shown as \uFFFD: save it as UTF-8";
        const page = Buffer.from("# Caf\u00e9\n", "latin1");
        const settings = Buffer.from('{ "name": "Caf\u00e9",\n "navigation": { "pages": ["index"] } }', "latin1");
        assert.deepEqual((await exportBytes({ "index.md": "# Home\n\n\uFFFD\n", "a.md": page })).warnings, [
            `a.md:1: ${reason}`,
        ]);
        assert.deepEqual((await exportBytes({ "index.md": "# Home", "docs.json": settings })).warnings, [
            `docs.json:1: ${reason}`,
        ]);
    });
});

describe(".mintignore", () => {
    it("lists files in any Unicode form", async () => {
        for (const [rule, name] of [
            ["caf\u00e9.md", "cafe\u0301.md"],
            ["cafe\u0301.md", "caf\u00e9.md"],
        ] as const) {
            const { pages } = await exportBytes({ "index.md": "# Home", [name]: "# Coffee", ".mintignore": rule });
            assert.deepEqual(pages, ["index.html"]);
        }
    });

    it("fails the export if it cannot be read", async () => {
        const files = { "index.md": "# Home", "other.txt": "a.md" };
        await assert.rejects(
            exportBytes({ ...files, ".mintignore": Buffer.from("caf\u00e9.md\n", "latin1") }),
            /^SiteError: \.mintignore: the file is not UTF-8, so exports cannot leave out the files that it lists: replace it$/,
        );
        for (const link of ["other.txt", "../outside", "nowhere"]) {
            await assert.rejects(
                exportBytes(files, link),
                /^SiteError: \.mintignore: this is not a file of the site's folder, so exports/,
            );
        }
    });
});
