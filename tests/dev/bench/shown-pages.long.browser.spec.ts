import assert from "node:assert/strict";
import { ShownPages, type ShownPage } from "../../../dev/bench/foreign/shown-pages.js";
import { useChromium } from "../../exporter/browser/chromium.js";
import { petsSite } from "../../exporter/support/pets-site.js";
import { withExport, withFolder, writeFiles } from "../../exporter/support/site-fixture.js";

/** `npm run bench foreign` looks up lines and fields in this content. */
describe("the visible content of an exported page in a browser", () => {
    const browser = useChromium();

    async function read(folder: string, file: string): Promise<ShownPage | undefined> {
        const pages = await ShownPages.open(browser(), folder);
        try {
            return await pages.read(file);
        } finally {
            await pages.close();
        }
    }

    const shownOf = (html: string) =>
        withFolder(async (folder) => {
            await writeFiles(folder, { "a b.html": html });
            return read(folder, "a b.html");
        });

    it("contains the text that a reader sees after opening all tabs, parts and views", async () => {
        const source =
            '<Tabs><Tab title="One">first</Tab><Tab title="Two">second' +
            "<Tabs><Tab title='In'>inner</Tab><Tab title='Out'>outer</Tab></Tabs></Tab></Tabs>\n\n" +
            '<Accordion title="Part">inside</Accordion>\n\n<Tooltip tip="A hint">word</Tooltip>\n\n' +
            '<View title="JS">one way</View>\n<View title="PY">another way</View>\n\n$$\\alpha$$\n';
        await withExport({ "index.mdx": source }, async ({ outDir }) => {
            const shown = await read(outDir, "index.html");
            const words = [
                "One",
                "first",
                "Two",
                "second",
                "inner",
                "outer",
                "Part",
                "inside",
                "one way",
                "another way",
            ];
            assert.deepEqual(
                words.filter((word) => shown?.text.includes(word) !== true),
                [],
            );
            for (const other of ["A hint", "PY", "\\alpha"]) {
                assert.ok(shown?.others.includes(other), other);
            }
        });
    });

    it("excludes text that HTML or a style hides, and everything around the content", async () => {
        const shown = await shownOf(
            "<title>T</title><style>.gone { display: none } .clear { opacity: 0 }</style><nav>menu</nav><main>Shown" +
                "<template>template</template><noscript>noscript</noscript><p hidden>hidden</p><p class='gone'>gone</p>" +
                "<p class='clear' title='hint'>clear</p><img alt='picture'><div style='display: contents'>contents</div></main>",
        );
        assert.equal(shown?.isBlank, false);
        assert.equal(shown.text, "Showncontents");
        assert.deepEqual(shown.others, ["picture"]);
    });

    it("is empty if a style hides the page", async () => {
        const shown = await shownOf("<style>html { visibility: hidden }</style><main><h1>Head</h1></main>");
        assert.equal(shown?.isBlank, true);
        assert.equal(shown.text, "");
    });

    it("is undefined for a redirect", async () => {
        assert.equal(await shownOf('<meta http-equiv="refresh" content="0; url=b.html">'), undefined);
    });

    it("includes the operation of a page, and the fields of its bodies", async () => {
        await withExport(petsSite({ pages: ["index", "POST /pets"] }), async ({ outDir }) => {
            const shown = await read(outDir, "api-reference/pets/create-a-pet.html");
            assert.equal(shown?.operation, "POST /pets");
            for (const field of ["name", "parent", "tags", "indoor", "size"]) {
                assert.ok(shown?.fields.includes(field), field);
            }
        });
    });
});
