import assert from "node:assert/strict";
import { warningsOf, withExport } from "../../support/site-fixture.js";

const config = (redirects: unknown) => JSON.stringify({ redirects, navigation: { pages: ["index", "guides/new"] } });
const pages = { "index.md": "# Home", "guides/new.md": "# New" };

describe("the targets and addresses of redirects", () => {
    it("have one target in pages, canonical addresses and the map, in whatever way it is written", async () => {
        const destinations = ["/guides/new.md", "/guides/new.html?a=b#new", "/index.md"];
        const redirects = destinations.map((destination, at) => ({ source: `/old${at}`, destination }));
        await withExport({ ...pages, "docs.json": config(redirects) }, async ({ read, warnings }) => {
            assert.equal(
                await read("static-export/redirects.map"),
                '"/old0" "/guides/new";\n"/old1" "/guides/new?a=b#new";\n"/old2" "/";\n',
            );
            assert.match(await read("old0.html"), /url=guides\/new\.html"/);
            assert.match(await read("old0.html"), /rel="canonical" href="https:\/\/[^/]+\/guides\/new"/);
            assert.deepEqual(warnings, []);
        });
    });

    it("never lead to another site without its scheme", async () => {
        const redirects = ["//evil.example", "/\\evil.example"].map((destination, at) => ({
            source: `/old${at}`,
            destination,
        }));
        const why =
            "its destination begins with two slashes, so it leads to another site: begin it with https:// or with one /";
        await withExport({ ...pages, "docs.json": config(redirects) }, async ({ files, warnings }) => {
            assert.ok(!(await files()).some((file) => /old|redirects\.map/.test(file)));
            assert.deepEqual(
                warnings.map(({ reason }) => reason),
                [`the redirect from /old0 is left out: ${why}`, `the redirect from /old1 is left out: ${why}`],
            );
        });
    });

    it("are reported if a page or a file is at their address", async () => {
        const sources = ["/guides/new", "/guides/new.html", "/picture.svg", "/free"];
        const redirects = sources.map((source) => ({ source, destination: "/index" }));
        const files = { ...pages, "picture.svg": "<svg/>", "docs.json": config(redirects) };
        assert.deepEqual(
            (await warningsOf(files)).map((warning) => warning.replace(/^docs\.json:\d+: the redirect from /, "")),
            ["/guides/new", "/guides/new.html", "/picture.svg"].map(
                (source) =>
                    `${source} has no effect, because ${source === "/picture.svg" ? "picture.svg" : "guides/new.md"} is at this address: remove one of the two`,
            ),
        );
    });

    it("are reported if their target has no such heading", async () => {
        const redirects = ["/guides/new#nope", "/guides/new.md#new", "/guides/new#top"].map((destination, at) => ({
            source: `/old${at}`,
            destination,
        }));
        assert.deepEqual(await warningsOf({ ...pages, "docs.json": config(redirects) }), [
            "docs.json:1: the link /guides/new#nope leads to guides/new.md, which has no heading or element with the id #nope",
        ]);
    });
});
