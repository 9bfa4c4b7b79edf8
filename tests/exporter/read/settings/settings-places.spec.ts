import assert from "node:assert/strict";
import { warningsOf } from "../../support/site-fixture.js";

const pages = { "a.md": "# A" };

async function placesOf(files: Record<string, string>) {
    return (await warningsOf({ ...pages, ...files })).map((warning) => warning.split(":", 2).join(":"));
}

const written = (settings: object) => ({ "docs.json": JSON.stringify({ name: "A", ...settings }, null, 1) });
const navigation = { pages: ["a"] };

describe("The place of a warning about a setting", () => {
    it("is the line of an invalid value, whatever the message says", async () => {
        const colors = { light: "#fff", primary: "blue" };
        assert.deepEqual(await placesOf(written({ colors, navigation })), ["docs.json:5"]);
        assert.deepEqual(await placesOf(written({ navigation, background: { decoration: "stars" } })), ["docs.json:9"]);
        assert.deepEqual(await placesOf(written({ navigation, integrations: { ga4: {} } })), ["docs.json:9"]);
    });

    it("is the line of the setting even if another setting contains the same text", async () => {
        const settings = { description: "colours", navigation, seo: { colours: {} } };
        assert.deepEqual(await placesOf(written(settings)), ["docs.json:10"]);
    });

    it("is the line of the entry in a list", async () => {
        const redirects = [
            { source: "/x", destination: "/a" },
            { source: 1, destination: "/a" },
        ];
        assert.deepEqual(await placesOf(written({ redirects, navigation })), ["docs.json:9"]);
        const options = ["copy", { title: "No address" }];
        assert.deepEqual(await placesOf(written({ contextual: { options }, navigation })), ["docs.json:6"]);
    });

    it("is the line of an entry of the navigation without a name", async () => {
        const groups = [
            { group: "One", pages: ["a"] },
            { pages: ["a"], icon: "star" },
        ];
        assert.deepEqual(await placesOf(written({ navigation: { groups } })), ["docs.json:11"]);
    });

    it("is the line of a language's own setting", async () => {
        const languages = [{ language: "en", pages: ["a"], banner: { content: 5 } }];
        assert.deepEqual(await placesOf(written({ navigation: { languages } })), ["docs.json:11"]);
    });

    it("is in the file that contains the setting", async () => {
        const colors = JSON.stringify({ dark: "#000", primary: "teal" }, null, 1);
        const pagesOfGuide = JSON.stringify({ pages: ["a", "gone"] }, null, 1);
        const files = {
            ...written({ colors: { $ref: "parts/colors.json" }, navigation: { $ref: "parts/navigation.json" } }),
            "parts/colors.json": colors,
            "parts/navigation.json": pagesOfGuide,
        };
        assert.deepEqual(await placesOf(files), ["parts/navigation.json:4", "parts/colors.json:3"]);
    });

    it("is the nearest setting around it if the settings are those of an older site", async () => {
        const mint = { name: "A", navigation: [{ group: "G", pages: ["a"] }], background: { style: "stars" } };
        assert.deepEqual(await placesOf({ "mint.json": JSON.stringify(mint, null, 1) }), ["mint.json:11"]);
    });
});
