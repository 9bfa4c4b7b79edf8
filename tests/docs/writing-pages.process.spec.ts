import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { docsFolder, type Example, fingerprints, picturesFolder, readExamples } from "../../dev/pictures/components.js";
import { readDrawn } from "../../dev/pictures/fingerprint.js";
import { components, otherNames } from "../../exporter/src/components/components.js";
import { warningKinds } from "../../exporter/src/problems/warning-log.js";
import { settingsThatAreRead, unsupportedSettings } from "../../exporter/src/read/settings/unsupported-settings.js";
import { withExport } from "../exporter/support/site-fixture.js";
import { unsupported } from "./support/unsupported-cases.js";

/** Aliases of components, which the page lists next to the main name or in the list of other names. */
const secondNames: Record<string, string> = {
    ...Object.fromEntries(otherNames),
    Error: "Danger",
    Param: "ParamField",
    FileTree: "Tree",
    "FileTree.Folder": "Tree.Folder",
    "FileTree.File": "Tree.File",
    TreeItem: "Tree.File",
};

const pages = await Promise.all(
    ["writing-pages.md", "docs-json.md", "components.md", "api-pages.md", "../reference/not-supported.md"].map((file) =>
        readFile(`${docsFolder}guides/${file}`, "utf8"),
    ),
);
/** The pages for writers, one after the other. */
const page = pages.join("\n## ");
const section = (title: string) => page.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
const rows = (text: string) =>
    [...text.matchAll(/^\| (.+) \|$/gm)].map(([, row = ""]) => row.split(" | ")).filter(([first]) => first !== "---");

/** The properties of docs.json in Mintlify's reference: https://www.mintlify.com/docs/organize/settings-reference */
const documented =
    "$ref theme name colors.primary colors.light colors.dark navigation description logo favicon appearance.default " +
    "appearance.strict fonts icons.library background styling.eyebrows styling.latex styling.codeblocks thumbnails.background " +
    "thumbnails.appearance thumbnails.fonts " +
    "navbar.links navbar.primary footer.socials footer.links banner.content banner.dismissible banner.type banner.color " +
    "interaction.drilldown contextual.options contextual.display redirects variables metadata.timestamp errors.404.redirect errors.404.title " +
    "errors.404.description api.openapi api.asyncapi api.playground.display api.playground.proxy " +
    "api.playground.credentials api.params.expanded api.params.post api.url api.examples.languages " +
    "api.examples.defaults api.examples.prefill api.examples.autogenerate api.mdx.auth api.mdx.server markdown.schema " +
    "markdown.instructions seo.indexing seo.metatags seo.organization seo.trailingSlash search.prompt integrations";

/** Returns the settings with another setting at a path, such as `seo.organization`. */
function withSetting(settings: object, [first = "", ...rest]: readonly string[]): object {
    const inner = (settings as Record<string, object>)[first] ?? {};
    // Of the settings that are switches, only this one is usually on.
    return { ...settings, [first]: rest.length === 0 ? first !== "schema" : withSetting(inner, rest) };
}

/** Reads the width of a WebP picture in the lossy, lossless or extended format of its specification. */
function pictureWidth(file: Buffer): number {
    switch (file.toString("latin1", 12, 16)) {
        case "VP8 ":
            return file.readUInt16LE(26) & 0x3fff;
        case "VP8L":
            return (file.readUInt16LE(21) & 0x3fff) + 1;
        default:
            return file.readUIntLE(24, 3) + 1;
    }
}

describe("the guide's pages for writers", () => {
    let examples: Example[];

    before(async () => {
        examples = await readExamples();
    });

    it("lists every component that the exporter supports", () => {
        const listed = rows(section("Components")).map(([names = ""]) => names);
        const [others = ""] = section("Components").match(/Other names of these components[^|]*/) ?? [];
        const missing = [...components.keys()].filter(
            (name) => ![...listed, others].some((names) => names.includes(`\`${name}\``)),
        );
        assert.deepEqual(missing, []);
    });

    it("contains an example with a picture for every component", () => {
        const pictured = examples.map(({ source }) => source).join("\n");
        const missing = [...components.keys()].filter((name) => {
            const shown = (secondNames[name] ?? name).replace(".", "\\.");
            return !new RegExp(`<${shown}[\\s>/]`).test(pictured);
        });
        assert.deepEqual(missing, []);
    });

    it("includes small, up-to-date pictures of its examples, and no other pictures", async () => {
        // If this fails, run `npm run pictures`.
        const shown = await fingerprints();
        assert.deepEqual(await readDrawn(Object.keys(shown)), shown);
        const files = await readdir(picturesFolder);
        assert.deepEqual(files.sort(), examples.map(({ name }) => `${name}.webp`).sort());
        const sizes = await Promise.all(files.map(async (file) => (await stat(picturesFolder + file)).size));
        assert.ok(sizes.reduce((sum, size) => sum + size) < 1_000_000);
        for (const file of files) {
            assert.equal(pictureWidth(await readFile(picturesFolder + file)), 720, file);
        }
    });

    it("lists every setting of docs.json, with its effect or as unsupported", () => {
        const missing = documented
            .split(" ")
            .filter((name) => ![`\`${name}\``, `\`${name}:`].some((text) => page.includes(text)));
        assert.deepEqual(missing, []);
    });

    it("lists exactly the settings that the exporter reads", () => {
        const [, table = ""] = page.split("| Setting | Effect |\n");
        const listed = rows(table.split("\n\n", 1)[0] ?? "").flatMap(
            ([names = ""]) => names.match(/[\w$.]+(?=`)/g) ?? [],
        );
        const isIn = (name: string, other: string) => name === other || name.startsWith(`${other}.`);
        // The text next to the table describes the colours.
        const missing = settingsThatAreRead.filter((name) => ![...listed, "colors"].some((each) => isIn(name, each)));
        const unread = listed.filter((name) => !settingsThatAreRead.some((each) => isIn(each, name)));
        assert.deepEqual([missing, unread], [[], ["$ref"]]);
    });

    it("lists every kind of warning", () => {
        const named = rows(section("Warnings")).flatMap(([kinds = ""]) => kinds.match(/\w+(?=`)/g) ?? []);
        assert.deepEqual(named.sort(), [...warningKinds].sort());
    });

    describe("lists unsupported features and their replacements:", () => {
        const [first = ""] = pages.at(-1)?.split("\n## ", 1) ?? [];
        const table = rows(first).slice(1);

        it("all settings that an export reports as unsupported", async () => {
            const paths = [...unsupportedSettings.keys()];
            for (const file of ["docs.json", "mint.json"]) {
                const navigation = file === "docs.json" ? { pages: ["index"] } : [{ group: "A", pages: ["index"] }];
                const settings = paths.reduce<object>((all, path) => withSetting(all, path.split(".")), { navigation });
                await withExport({ "index.mdx": "# Home", [file]: JSON.stringify(settings) }, (site) => {
                    const told = site.warnings.filter(({ kind }) => kind === "settings").map(({ reason }) => reason);
                    const missing = paths.filter((path) => !told.some((reason) => reason.includes(`"${path}"`)));
                    assert.deepEqual(missing, []);
                });
            }
        });

        it("exactly the features that the spec tests", () => {
            assert.deepEqual(
                table.map(([what]) => what),
                unsupported.map(({ row }) => row),
            );
        });

        for (const { row, files, pages } of unsupported) {
            it(row, async () => {
                const kinds = table.find(([what]) => what === row)?.[2]?.match(/\w+(?=`)/g) ?? [];
                await withExport({ "index.mdx": "# Home", ...files }, async (site) => {
                    for (const [file, says] of Object.entries(pages)) {
                        const html = /<article[^>]*>\n([\s\S]*)\n<\/article>/.exec(await site.read(file))?.[1] ?? "";
                        assert.match(html, says);
                        assert.doesNotMatch(await site.read(file), /not-shown/);
                    }
                    assert.deepEqual([...new Set(site.warnings.map(({ kind }) => kind))].sort(), [...kinds].sort());
                });
            });
        }
    });
});
