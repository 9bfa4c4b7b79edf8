import assert from "node:assert/strict";
import { withExport } from "../../support/site-fixture.js";

describe("The page for unknown addresses", () => {
    it("shows the site's frame, and works at any depth", async () => {
        const files = {
            "docs.json": JSON.stringify({ favicon: "/a.png", logo: "/a.png", navigation: { pages: ["index", "b/c"] } }),
            "index.md": "# Home",
            "b/c.md": "# Start",
            "a.png": "png",
            "own.css": "p { color: red }",
        };
        for (const [basePath, start, file] of [
            ["", "/", "404.html"],
            ["docs", "/docs/", "docs/404.html"],
        ] as const) {
            await withExport(
                files,
                async (site) => {
                    const html = await site.read(file);
                    const addresses = [...html.matchAll(/ (?:href|src|data-(?:root|search|index))="([^"]*)"/g)].map(
                        ([, address]) => address as string,
                    );
                    addresses.push(...[...html.matchAll(/url\("([^"]*)"/g)].map(([, address]) => address as string));
                    const local = addresses.filter((address) => !/^(?:#|https:)/.test(address));
                    assert.deepEqual(
                        local.filter((address) => !address.startsWith(start)),
                        [],
                    );
                    for (const each of ["", "b/c.html", "a.png", "own.css"]) {
                        assert.ok(local.includes(start + each), each);
                    }
                    assert.match(html, /<script src="[^"]*site\.[^"]*\.js" data-search=/);
                    assert.match(html, /<meta name="robots" content="noindex">/);
                },
                { basePath },
            );
        }
    });

    it("does not name pages for certain readers", async () => {
        const files = { "index.md": "# Home", "open.md": "# Open", "secret.md": "---\ngroups: [staff]\n---\n# Secret" };
        await withExport(
            files,
            async (site) => {
                const html = await site.read("404.html");
                assert.match(html, /open\.html/);
                assert.doesNotMatch(html, /secret/i);
            },
            { privatePages: "keep-apart" },
        );
    });
});
