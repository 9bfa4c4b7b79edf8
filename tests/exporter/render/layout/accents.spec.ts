import assert from "node:assert/strict";
import { withExport } from "../../support/site-fixture.js";

/** Returns the accents of a page whose site has these colours, as `[light, dark]`. */
async function accentsWith(colors: Record<string, string>): Promise<(string | undefined)[]> {
    let found: (string | undefined)[] = [];
    await withExport({ "index.md": "# Home", "docs.json": JSON.stringify({ colors }) }, async (site) => {
        found = /--accent-light:(.*?);--accent-dark:(.*?)}/.exec(await site.read("index.html"))?.slice(1) ?? [];
    });
    return found;
}

describe("the colours of a site", () => {
    it("are unchanged if text in the colour is readable", async () => {
        assert.deepEqual(await accentsWith({ primary: "#123456", light: "#FFD43B" }), ["#123456", "#FFD43B"]);
        assert.deepEqual(await accentsWith({ primary: "#035", light: "#fd3f" }), ["#035", "#fd3f"]);
    });

    it("are darkened on white and lightened on black if they are too pale or too dark for text", async () => {
        assert.deepEqual(await accentsWith({ primary: "#16a34a", light: "#123456" }), ["#107535", "#8495a7"]);
        assert.deepEqual(await accentsWith({ primary: "#fff", light: "#000" }), ["#666666", "#949494"]);
    });

    it("use the main colour, with its opacity, for light and dark pages", async () => {
        assert.deepEqual(await accentsWith({ primary: "#123456" }), ["#123456", "#8495a7"]);
        const [light] = await accentsWith({ primary: "#00000000" });
        assert.equal(light, "#626364");
    });

    it("default to the theme's colours if they are not set or have an invalid number of digits", async () => {
        assert.deepEqual(await accentsWith({}), []);
        assert.deepEqual(await accentsWith({ primary: "#12345" }), []);
    });

    it("use the button colour for the navbar's main link, with readable text", async () => {
        const buttonWith = async (colors: Record<string, string>) => {
            let html = "";
            const navbar = {
                links: [{ label: "Status", href: "https://status.example.com" }],
                primary: { label: "Sign in", href: "https://app.example.com" },
            };
            await withExport(
                { "index.md": "# Home", "docs.json": JSON.stringify({ colors, navbar }) },
                async (site) => {
                    html = await site.read("index.html");
                },
            );
            assert.match(html, /<a href="https:\/\/status.example.com">Status<\/a>/);
            assert.match(html, /<a class="button" href="https:\/\/app.example.com">Sign in<\/a>/);
            return /;--button:(.*?);--button-text:(.*?)}/.exec(html)?.slice(1);
        };
        assert.deepEqual(await buttonWith({ primary: "#123456", dark: "#15803D" }), ["#15803d", "#ffffff"]);
        assert.deepEqual(await buttonWith({ primary: "#123456", dark: "#ffe165" }), ["#ffe165", "#000000"]);
        assert.equal(await buttonWith({ primary: "#123456" }), undefined);
    });
});
