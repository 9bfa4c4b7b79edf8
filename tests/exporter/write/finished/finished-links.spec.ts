import assert from "node:assert/strict";
import { type ExportSiteOptions } from "../../../../exporter/src/write/export-site.js";
import { failureOf, warningsOf, withExport, type Files } from "../../support/site-fixture.js";

const pages: Files = { "guide.html": '<h1 id="Start">Guide</h1>', "a/index.html": "", "b c.html": "", "p.png": "" };

/** The warnings of a site whose first page contains the HTML. */
function warningsAbout(html: string, files: Files = {}, options: Partial<ExportSiteOptions> = {}): Promise<string[]> {
    return warningsOf({ "index.html": html, ...pages, ...files }, options);
}

describe("The links of finished HTML", () => {
    it("may lead to files, pages without .html, folders, parts of pages and other sites", async () => {
        const html = `<a href="guide.html#start"></a><a href="/guide?q=1"></a><a href=a/></a><a href="/a"></a>
            <a href="b%20c"></a><a href="https://docs.example.com/a"></a><a href="https://other.example.com/x"></a>
            <a href="#"></a><a href="#top"></a><a href="mailto:a@example.com"></a><a href="javascript:void(0)"></a>
            <img srcset="p.png 1x, /p.png 2x" src=data:image/png;base64,AA><link rel=canonical href="/elsewhere">
            <script>document.write('<a href="/in-a-script">')</script><!-- <a href="/in-a-comment"> -->
            <a name="here"></a><a href="#here"></a><a href="guide#:~:text=Guide"></a>`;
        assert.deepEqual(await warningsAbout(html), []);
    });

    it("are reported if they lead nowhere, with their line", async () => {
        const html =
            '<a href="gone.html">\n<img src="/gone.png">\n<a href="guide#gone">\n<a href="https://docs.example.com/no">';
        assert.deepEqual(await warningsAbout(html), [
            "index.html:1: the link gone.html leads to no file of the site",
            "index.html:2: the link /gone.png leads to no file of the site",
            "index.html:4: the link https://docs.example.com/no leads to no file of the site",
            "index.html:3: the link guide#gone leads to guide.html, which has no heading or element with the id #gone",
        ]);
    });

    it("are relative to the page's <base>", async () => {
        assert.deepEqual(await warningsAbout("", { "x/y.html": '<base href="../"><a href="guide"></a>' }), []);
    });

    it("to parts of a page for unknown addresses are not checked, because its <base> leads to the home page", async () => {
        const page = '<base href="/"><h1 id="none"><a href="#none">Not found</a></h1>';
        assert.deepEqual(await warningsAbout("", { "404.html": page, "b.html": page }), [
            "b.html:1: the link #none leads to index.html, which has no heading or element with the id #none",
        ]);
    });

    it("in style sheets are checked, too", async () => {
        assert.deepEqual(
            await warningsAbout("", { "css/a.css": "a{background:url(../p.png)}\nb{background:url(p.png)}" }),
            ["css/a.css:2: the link p.png leads to no file of the site"],
        );
    });

    it("in <meta http-equiv=refresh> are checked, and parts of a redirecting page are not", async () => {
        const redirects = {
            "old.html": "<META HTTP-EQUIV=Refresh CONTENT=\"0;URL='/guide'\">",
            "older.html": '<meta http-equiv="refresh" content="0; url=gone">',
        };
        assert.deepEqual(await warningsAbout('<a href="old#part">', redirects), [
            "older.html:1: the link gone leads to no file of the site",
        ]);
    });

    it("must begin with the base path, which becomes a folder", async () => {
        const html = '<a href="/docs/guide"></a><a href="/docs"></a><a href="/other-site"></a><a href="a/"></a>';
        const files = { "index.html": html, ...pages, "404.html": "not found", "robots.txt": "User-agent: *" };
        await withExport(
            files,
            async ({ files: exported, read, warnings }) => {
                assert.deepEqual(warnings, []);
                const below = Object.keys(files).map((file) => `docs/${file}`);
                assert.deepEqual(await exported(), [...below, "404.html", "index.html", "robots.txt"].sort());
                assert.match(await read("index.html"), /refresh" content="0; url=docs\/index\.html"/);
                assert.equal(await read("404.html"), "not found");
            },
            { basePath: "docs" },
        );
        assert.deepEqual(await warningsAbout('<a href="/guide">\n<img src=/p.png>', {}, { basePath: "docs" }), [
            "index.html:1: absolute addresses of the site's files do not begin with /docs/, so they lead nowhere: " +
                "set the builder's base path to /docs/",
        ]);
    });

    it("name the base path that the site was built for", async () => {
        assert.deepEqual(await warningsAbout('<a href="/docs/guide"></a><img src="/docs/p.png">'), [
            "index.html:1: the site was built for the path /docs/, but is exported for /: pass --base-path /docs, or " +
                "change the builder's base path",
        ]);
    });

    it("fail a strict export", async () => {
        const files = { "index.html": '<a href="gone">' };
        assert.equal(
            await failureOf(files, { strict: true }),
            "index.html:1: the link gone leads to no file of the site",
        );
    });
});

describe("The _redirects of finished HTML", () => {
    const text = `# Old addresses
/old /guide
/news/* /:splat 302!
/guide /a
/v/:version/x https://other.example.com/:version 301
/app/* /index.html 200
/shop /fr/shop 302 Country=fr
/../../out /guide
/static-export/a /guide
`;

    it("have no effect with several names in a segment, which would take long to compare with a link", async () => {
        const names = Array.from({ length: 6 }, (_, index) => `:a${index}`).join("-");
        const start = process.cpuUsage();
        const warnings = await warningsAbout(`<a href="/${"-".repeat(200)}/x">a</a>`, {
            _redirects: `/${names} /index.html\n`,
        });
        assert.match(
            warnings.join("\n"),
            /_redirects:1: this line has no effect: a segment of a path may contain only/,
        );
        assert.ok(process.cpuUsage(start).user < 2e6);
    });

    it("have no effect with a target on another site without its scheme, or without a slash", async () => {
        const _redirects = "/old //evil.example\n/new guide\n";
        await withExport({ ...pages, "index.html": "", _redirects }, async ({ files, warnings }) => {
            assert.ok(!(await files()).some((file) => /redirects\.map/.test(file)));
            assert.deepEqual(
                warnings.map(({ file, line, reason }) => `${file}:${line}: ${reason}`),
                [
                    "_redirects:1: this line has no effect: its destination begins with two slashes, so it leads to another site: begin it with https:// or with one /",
                    "_redirects:2: this line has no effect: its destination must begin with / or https://",
                ],
            );
        });
    });

    it("redirect by the map for servers, and by pages", async () => {
        await withExport({ ...pages, "index.html": "", _redirects: text }, async ({ read, files }) => {
            assert.deepEqual((await read("static-export/redirects.map")).trim().split("\n"), [
                '"/old" "/guide";',
                '"~^/news/(?<p1>.*)$" "/${p1}";',
                '"~^/v/(?<p1>[^/]+)/x$" "https://other.example.com/${p1}";',
            ]);
            assert.equal(await read("_redirects"), text);
            assert.match(await read("old.html"), /content="0; url=guide\.html"/);
            assert.ok((await files()).includes("guide.html"));
        });
    });

    it("make links work, and lines without effect are reported", async () => {
        const links = '<a href="/old"></a><a href="/news/guide"></a><a href="/v/2/x"></a>';
        const warnings = await warningsAbout(links, { _redirects: text });
        assert.deepEqual(
            warnings.map((warning) => warning.split(": ")[0]),
            ["_redirects:6"],
        );
        assert.match(warnings[0] ?? "", /this line has no effect/);
    });
});
