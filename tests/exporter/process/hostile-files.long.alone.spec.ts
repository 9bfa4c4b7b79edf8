import { join } from "node:path";
import { exportSite } from "../../../exporter/src/write/export-site.js";
import { assertLinear, hostileUnits } from "../../support/linear-time.js";
import { type Files, withFolder, writeFiles } from "../support/site-fixture.js";

const settings = (others: object) => JSON.stringify({ navigation: { pages: ["index"] }, ...others });
const page = { "index.md": "# Home\n\n![a](a.svg)\n" };
const info = { title: "A", version: "1" };
const answers = { 200: { description: "OK" } };
const withDocument = (document: object): Files => ({
    ...page,
    "docs.json": settings({ api: { openapi: "openapi.json" } }),
    "openapi.json": JSON.stringify({ openapi: "3.1.0", info, ...document }),
});

/** The files of a site in which an author may write any text. Pages have their own spec. */
const sites: Record<string, (text: string) => Files> = {
    "a style sheet": (text) => ({ ...page, "style.css": text }),
    "a picture": (text) => ({ ...page, "a.svg": `<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>` }),
    "a script": (text) => ({ ...page, "a.js": text }),
    "front matter": (text) => ({ "index.md": `---\n${text}\n---\n# Home\n` }),
    "ignored files": (text) => ({ ...page, ".mintignore": text }),
    "a redirect": (text) => ({
        ...page,
        "docs.json": settings({ redirects: [{ source: `/a${text}`, destination: `/${text}` }] }),
    }),
    "the name of a site": (text) => ({ ...page, "docs.json": settings({ name: text, description: text }) }),
    "the navigation": (text) => ({
        ...page,
        "docs.json": settings({ navigation: { pages: ["index", text, { group: text, pages: [text] }] } }),
    }),
    "a link": (text) => ({ ...page, "docs.json": settings({ navbar: { links: [{ label: "A", href: `/${text}` }] } }) }),
    "the texts of an API": (text) =>
        withDocument({
            info: { ...info, description: text },
            paths: { "/a": { get: { summary: text, description: text, tags: [text], responses: answers } } },
        }),
    "the server of an API": (text) =>
        withDocument({
            servers: [{ url: `https://${text}/{a}` }, { url: text }],
            paths: { "/a": { get: { responses: answers } } },
        }),
    "the path of an API": (text) => withDocument({ paths: { [`/${text}`]: { get: { responses: answers } } } }),
    "the schema of an API": (text) => {
        const schema = { type: "string", pattern: text, default: text, $ref: `#/${text}` };
        const parameters = [{ name: text, in: "query", description: text, schema }];
        return withDocument({ paths: { "/a": { get: { parameters, responses: answers } } } });
    },
    "finished HTML": (text) => ({
        "index.html": `<html><head><title>${text}</title></head><body>${text}</body></html>`,
    }),
    "redirects of finished HTML": (text) => ({
        "index.html": '<a href="/b"></a>',
        _redirects: `${text}\n/a${text.replace(/\s/g, "x")} /index.html\n`,
    }),
    "styles of finished HTML": (text) => ({ "index.html": '<link rel="stylesheet" href="a.css">', "a.css": text }),
};

async function exported(files: Files): Promise<void> {
    await withFolder(async (folder) => {
        const sourceDir = join(folder, "site");
        await writeFiles(sourceDir, files);
        const prebuilt = "index.html" in files;
        // A site may be refused.
        await exportSite({ sourceDir, outDir: join(folder, "out"), domain: "docs.example.com", prebuilt }).catch(
            () => undefined,
        );
    });
}

describe("A site with a hostile file", function () {
    this.timeout(300_000);

    for (const [name, filesWith] of Object.entries(sites)) {
        it(`is exported in linear time: ${name}`, async () => {
            for (const unit of hostileUnits) {
                await assertLinear((text) => exported(filesWith(text)), unit, { size: 60_000, enoughMs: 400 });
            }
        });
    }
});
