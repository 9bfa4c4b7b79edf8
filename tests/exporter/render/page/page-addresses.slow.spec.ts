import assert from "node:assert/strict";
import { exportPage, warningsOf, withExport } from "../../support/site-fixture.js";

describe("An address on a page", () => {
    const refused = [
        "vbscript:go()",
        " VBScript:go()",
        "data:text/html,go()",
        "data:application/xhtml+xml,go()",
        "blob:go()",
    ];

    for (const address of refused) {
        it(`is left out and reported if browsers could run it: ${address}`, async () => {
            const page = `Text\n\n<a href="${address}">go</a>\n`;
            for (const file of ["a.md", "a.mdx"]) {
                assert.match(await exportPage(file, page), /<a href="#">go<\/a>/);
                assert.deepEqual(await warningsOf({ [file]: page }), [
                    `${file}:3: the link ${address.trim()} is left out: pages may not use links with its scheme`,
                ]);
            }
        });
    }

    const allowed = [
        "https://a.example/b:c",
        "mailto:a@b.example",
        "tel:+1",
        "vscode:extension/a",
        "cursor://install",
        "web+app:a",
        "data:image/png;base64,AA==",
        "data:text/plain,a",
    ];

    for (const address of allowed) {
        it(`is unchanged if it runs no code in the page: ${address}`, async () => {
            const page = `<a href="${address}">go</a>\n`;
            assert.ok((await exportPage("a.md", page)).includes(`<a href="${address}">`));
            assert.deepEqual(await warningsOf({ "a.md": page }), []);
        });
    }

    it("is left out of the top bar, the navigation and the page menu", async () => {
        const address = "data:text/html,zebra()";
        const files = {
            "docs.json": JSON.stringify({
                navbar: { links: [{ label: "Bar", href: address }] },
                contextual: { options: ["copy", { title: "Own", href: address }] },
                navigation: { pages: ["index"], global: { anchors: [{ anchor: "Anchor", href: address }] } },
                footer: { links: [{ header: "More", items: [{ label: "Foot", href: address }] }] },
            }),
            "index.md": "# Home\n",
        };
        await withExport(files, async ({ read, warnings }) => {
            assert.doesNotMatch(await read("index.html"), /zebra/);
            assert.ok(warnings.some(({ reason }) => reason.includes("is left out: pages may not use")));
        });
    });
});

describe("An element that redirects a page or its links", () => {
    const elements = {
        base: '<base href="https://evil.example/" />',
        meta: '<meta http-equiv="refresh" content="0; url=https://evil.example/" />',
    };
    for (const [name, element] of Object.entries(elements)) {
        it(`is left out and reported: <${name}>`, async () => {
            const page = `Text\n\n${element}\n\nMore\n`;
            for (const file of ["a.md", "a.mdx"]) {
                const html = await exportPage(file, page);
                assert.doesNotMatch(html, /evil/);
                assert.match(html, /Text[^]*More/);
                assert.deepEqual(await warningsOf({ [file]: page }), [
                    `${file}:3: <${name}> is left out: it would change the addresses of the whole page`,
                ]);
            }
        });
    }
});
