import assert from "node:assert/strict";
import { withExport, type Files } from "../../support/site-fixture.js";

interface Looks {
    /** The CSS rules of a page in a folder of the site. */
    readonly css: string;
    readonly warnings: readonly string[];
}

/** Exports a page with these settings, and returns its appearance. */
async function looksWith(settings: object, files: Files = {}, config = "docs.json"): Promise<Looks> {
    const navigation = config === "mint.json" ? [{ group: "A", pages: ["guides/a"] }] : { pages: ["guides/a"] };
    let found: Looks = { css: "", warnings: [] };
    await withExport(
        { "guides/a.md": "# A", [config]: JSON.stringify({ navigation, ...settings }), ...files },
        async ({ read, warnings }) => {
            const [css = ""] = /(?<=<style>)[^<]*(?=<\/style>\n<script)/.exec(await read("guides/a.html")) ?? [];
            found = { css, warnings: warnings.map(({ reason }) => reason) };
        },
    );
    return found;
}

describe("the look of a site", () => {
    it("uses the site's own fonts for text and headings", async () => {
        const fonts = {
            family: "Own Sans",
            source: "/fonts/own sans.woff2",
            heading: { family: "Own Serif", source: "fonts/serif.woff2", weight: 600 },
        };
        const files = { "fonts/own sans.woff2": "1", "fonts/serif.woff2": "2" };
        const { css, warnings } = await looksWith({ fonts }, files);
        assert.match(
            css,
            /@font-face{font-family:"Own Sans";src:url\("\.\.\/fonts\/own%20sans\.woff2"\);font-display:swap}/,
        );
        assert.match(css, /html{font-family:"Own Sans",var\(--sans\);}/);
        assert.match(css, /h6\){font-family:"Own Serif",var\(--sans\);font-weight:600;}/);
        assert.deepEqual(warnings, []);
    });

    it("uses system fonts by name, and reports that the site does not contain them", async () => {
        for (const source of [undefined, "https://fonts.example.com/inter.woff2"]) {
            const { css, warnings } = await looksWith({ fonts: { body: { family: "Inter", source } } });
            assert.equal(css, 'html{font-family:"Inter",var(--sans);}');
            assert.match(
                warnings.join("\n"),
                /^the font "Inter" is not a file of the site, so only [^\n]* fonts\.body\.source$/,
            );
        }
    });

    it("reports a missing font file, and rejects font names that could inject CSS", async () => {
        const missing = await looksWith({ fonts: { family: "Own", source: "/fonts/gone.woff2" } });
        assert.match(missing.warnings.join("\n"), /fonts\/gone\.woff2/);
        const family = 'a";}</style><script>';
        assert.deepEqual(await looksWith({ fonts: { family, source: "/a.woff2" } }), {
            css: "",
            warnings: ["fonts.family must be the name of a font"],
        });
    });

    it("uses the site's background with matching light or dark text colours", async () => {
        const background = { color: { light: "#FAF9F2", dark: "#222831" } };
        const { css, warnings } = await looksWith({ background });
        assert.equal(css, ":root{--bg-light:#faf9f2;--bg-dark:#1a1e25}");
        assert.deepEqual(warnings, []);
        assert.match((await looksWith({ background: { color: { light: "#000000" } } })).css, /--bg-light:#f/);
    });

    it("shows a picture or a pattern at the top of the page, only on screens", async () => {
        const image = await looksWith(
            { background: { image: { light: "/l.png", dark: "/d.png" } } },
            { "l.png": "", "d.png": "" },
        );
        assert.match(
            image.css,
            /^@media screen{body::before{.*url\("\.\.\/l\.png"\).*\[data-theme=dark\] body::before{[^}]*d\.png/,
        );
        for (const decoration of ["gradient", "grid"]) {
            assert.match(
                (await looksWith({ background: { decoration } })).css,
                /^@media screen{body::before{.*-gradient\(/,
            );
        }
        assert.deepEqual((await looksWith({ background: { decoration: "windows" } })).warnings, [
            "background.decoration must be gradient or grid: other decorations are not supported",
        ]);
    });

    it("can include dark code on light pages and light code on dark pages", async () => {
        const schemeOf = async (codeblocks: unknown) =>
            /\.code{color-scheme:(\w+)/.exec((await looksWith({ styling: { codeblocks } })).css)?.[1];
        assert.equal(await schemeOf("dark"), "dark");
        assert.equal(await schemeOf({ theme: "night-owl" }), "dark");
        assert.equal(await schemeOf({ theme: "gruvbox-light-hard" }), "light");
        assert.equal(await schemeOf("system"), undefined);
        assert.equal(await schemeOf({ theme: { light: "github-light", dark: "dark-plus" } }), undefined);
    });

    it("also uses the settings of an older site", async () => {
        const { css, warnings } = await looksWith(
            {
                font: { headings: { family: "Own", url: "/own.woff2" } },
                background: { style: "grid" },
                colors: { primary: "#123456", background: { dark: "#000000" } },
                codeBlock: { mode: "dark" },
            },
            { "own.woff2": "1" },
            "mint.json",
        );
        assert.match(
            css,
            /font-family:"Own";src:url\("\.\.\/own\.woff2"\)[^@]*--bg-dark:#000000.*-gradient\(.*\.code{color-scheme:dark/,
        );
        assert.deepEqual(warnings, []);
    });
});
