import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import {
    drawnFile,
    type Example,
    pageFile,
    picturesFolder,
    readExamples,
} from "../../dev/component-pictures/examples.js";
import { components } from "../../service/src/site/render/components/index.js";
import { otherNames } from "../../service/src/site/render/components/other-names.js";
import { warningKinds } from "../../service/src/site/warnings.js";
import { type Files, withExport } from "../service/site/site-fixture.js";

/** Components under a second name, which the page lists beside the first, or as one of other builders. */
const secondNames: Record<string, string> = {
    ...otherNames,
    Error: "Danger",
    Param: "ParamField",
    FileTree: "Tree",
    "FileTree.Folder": "Tree.Folder",
    "FileTree.File": "Tree.File",
};

const page = await readFile(pageFile, "utf8");
const section = (title: string) => page.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
const rows = (text: string) =>
    [...text.matchAll(/^\| (.+) \|$/gm)].map(([, row = ""]) => row.split(" | ")).filter(([first]) => first !== "---");

interface Unsupported {
    /** The first column of the table. */
    row: string;
    files: Files;
    /** What the articles of exported pages hold. "not-shown" stands for what must be in none of them. */
    pages: Record<string, RegExp>;
}

const settings = (more: object) => JSON.stringify({ navigation: { pages: ["index"] }, ...more });

const unsupported: readonly Unsupported[] = [
    {
        row: "components that it does not know",
        files: { "index.mdx": '<Thing kind="not-shown">**inside**</Thing>' },
        pages: { "index.html": /<strong>inside<\/strong>/ },
    },
    {
        row: "event handlers (`onClick`)",
        files: { "index.mdx": "<button onClick={() => alert('not-shown')}>go</button>" },
        pages: { "index.html": /<button>go<\/button>/ },
    },
    {
        row: "JavaScript that needs the browser, the network or the clock (`document`, `fetch`, `new Date()`)",
        files: {
            "index.mdx":
                "export const Title = () => <b>not-shown {document.title}</b>\n\n" +
                "a<Title />b{new Date().getFullYear()}c{await fetch('not-shown')}d",
        },
        pages: { "index.html": /<p>abcd<\/p>/ },
    },
    {
        row: "state that changes (`useState`, `useEffect`)",
        files: {
            "index.mdx":
                "export const Count = () => { const [n, set] = useState(3); " +
                "useEffect(() => { set('not-shown') }, []); return <b>{n}</b> }\n\n<Count />",
        },
        pages: { "index.html": /<b>3<\/b>/ },
    },
    {
        row: "classes in a page's code",
        files: { "index.mdx": "export class Shop { name = 'not-shown' }\n\nText" },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "packages from npm",
        files: { "index.mdx": 'import { Chart } from "charts"\n\na<Chart title="not-shown" />b' },
        pages: { "index.html": /<p>ab<\/p>/ },
    },
    {
        row: "the day of a page's last commit",
        files: { "index.mdx": "Text", "docs.json": settings({ metadata: { timestamp: true } }) },
        pages: { "index.html": /<p>Text<\/p>$/ },
    },
    {
        row: "`boost` of pages and groups",
        files: { "index.mdx": "---\nboost: 5\n---\nText" },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "`searchable: true` of a hidden tab or group",
        files: {
            "b.md": "Text",
            "docs.json": settings({
                navigation: {
                    tabs: [
                        { tab: "A", pages: ["index"] },
                        { tab: "B", hidden: true, searchable: true, pages: ["b"] },
                    ],
                },
            }),
        },
        pages: { "b.html": /<p>Text<\/p>/ },
    },
    {
        row: "filters by the `tags` of updates",
        files: { "index.mdx": '<Update label="May" tags={["Api"]}>Text</Update>' },
        pages: { "index.html": /Api[\s\S]*Text/ },
    },
    {
        row: "`mode: assistant`",
        files: { "index.mdx": "---\nmode: assistant\n---\nText" },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "CSS and JavaScript files of the site",
        files: { "index.mdx": "Text", "not-shown.css": "p {}", "not-shown.js": "alert(1)" },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "icons of Font Awesome Pro",
        files: { "index.mdx": 'a<Icon icon="alicorn" />b' },
        pages: { "index.html": /<p>ab<\/p>/ },
    },
    {
        row: "OpenAPI documents on other servers",
        files: { "pets.md": "---\nopenapi: https://api.example.com/not-shown.json GET /pets\n---\nText" },
        pages: { "pets.html": /<p>Text<\/p>/ },
    },
    {
        row: "AsyncAPI documents",
        files: {
            "chat.md": "---\nasyncapi: not-shown.json chat\n---\nText",
            "docs.json": settings({
                navigation: { groups: [{ group: "Chat", asyncapi: "chat.json", pages: ["index", "chat"] }] },
            }),
        },
        pages: { "chat.html": /<p>Text<\/p>/ },
    },
    {
        row: "types of a `twoslash` fence",
        files: { "index.mdx": "```ts twoslash\nconst size = 1;\n```" },
        pages: { "index.html": /hljs-keyword">const<\/span> size = / },
    },
    {
        row: "GraphQL schemas and references of SDKs (`graphql`, `sdk`)",
        files: {
            "docs.json": settings({
                navigation: {
                    groups: [
                        { group: "G", pages: ["index"] },
                        { group: "Q", graphql: "not-shown.graphql" },
                    ],
                },
            }),
        },
        pages: { "index.html": /Home/ },
    },
    {
        row: "pages for certain readers (`groups`, `public`, `x-mint.groups`)",
        files: { "index.mdx": "---\ngroups: [not-shown]\npublic: false\n---\nText" },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "names of the reader (`{user.firstName}`)",
        files: { "index.mdx": "Hello {user.firstName}!" },
        pages: { "index.html": /<p>Hello !<\/p>/ },
    },
    {
        row: "analytics and an assistant (`integrations`, `contextual`)",
        files: {
            "index.mdx": "Text",
            "docs.json": settings({
                integrations: { ga4: { measurementId: "not-shown" } },
                contextual: { options: ["not-shown"] },
            }),
        },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "themes, fonts and backgrounds (`theme`, `fonts`, `background`, `styling.codeblocks`)",
        files: {
            "index.mdx": "Text",
            "docs.json": settings({
                theme: "not-shown",
                fonts: { family: "not-shown" },
                background: { decoration: "not-shown" },
                styling: { codeblocks: "not-shown" },
            }),
        },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "pictures for previews that are drawn of a title (`thumbnails`), structured data (`seo.organization`)",
        files: {
            "index.mdx": "Text",
            "docs.json": settings({
                thumbnails: { background: "not-shown" },
                seo: { organization: { name: "not-shown" } },
            }),
        },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "attributes that the table of components does not list",
        files: { "index.mdx": '<Badge shape="not-shown" size="not-shown">new</Badge>' },
        pages: { "index.html": /<span class="badge">new<\/span>/ },
    },
];

/** Of a WebP file, as its format's page says: of its lossy, lossless or extended form. */
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

describe("the guide's page on writing pages", () => {
    let examples: Example[];

    before(async () => {
        examples = await readExamples();
    });

    it("lists every component that the exporter knows", () => {
        const listed = rows(section("Components")).map(([names = ""]) => names);
        const [others = ""] = section("Components").match(/Names of other builders[^|]*/) ?? [];
        const missing = [...components.keys()].filter(
            (name) => ![...listed, others].some((names) => names.includes(`\`${name}\``)),
        );
        assert.deepEqual(missing, []);
    });

    it("has an example with a picture for each of them", () => {
        const pictured = examples.map(({ source }) => source).join("\n");
        const missing = [...components.keys()].filter((name) => {
            const shown = (secondNames[name] ?? name).replace(".", "\\.");
            return !new RegExp(`<${shown}[\\s>/]`).test(pictured);
        });
        assert.deepEqual(missing, []);
    });

    it("has pictures of today's examples and no others, small ones", async () => {
        // If this fails: npm run component-pictures
        const drawn = JSON.parse(await readFile(drawnFile, "utf8")) as Record<string, string>;
        assert.deepEqual(drawn, Object.fromEntries(examples.map(({ name, digest }) => [name, digest])));
        const files = await readdir(picturesFolder);
        assert.deepEqual(files.sort(), examples.map(({ name }) => `${name}.webp`).sort());
        const sizes = await Promise.all(files.map(async (file) => (await stat(picturesFolder + file)).size));
        assert.ok(sizes.reduce((sum, size) => sum + size) < 1_000_000);
        for (const file of files) {
            assert.equal(pictureWidth(await readFile(picturesFolder + file)), 720, file);
        }
    });

    it("names every kind of warning", () => {
        const named = rows(section("Warnings")).flatMap(([kinds = ""]) => kinds.match(/\w+(?=`)/g) ?? []);
        assert.deepEqual(named.sort(), [...warningKinds].sort());
    });

    describe("says what is not supported, and what is done instead:", () => {
        const table = rows(section("What is not supported")).slice(1);

        it("lists what this spec tries", () => {
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
                        const html = /<article>\n([\s\S]*)\n<\/article>/.exec(await site.read(file))?.[1] ?? "";
                        assert.match(html, says);
                        assert.doesNotMatch(await site.read(file), /not-shown/);
                    }
                    assert.deepEqual([...new Set(site.warnings.map(({ kind }) => kind))].sort(), [...kinds].sort());
                });
            });
        }
    });
});
