import assert from "node:assert/strict";
import { sitemapFiles } from "../../../../exporter/src/write/generated/sitemap-and-robots.js";

const site = { domain: "docs.example.com", basePath: "docs" };
const pages = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ route: `p${at}`, changedOn: at === 0 ? "2026-11-01" : undefined }));
const routesIn = (xml: string) =>
    Array.from(xml.matchAll(/<loc>https:\/\/docs\.example\.com\/docs\/(.*?)<\/loc>/g), ([, path]) => path);

describe("the sitemap", () => {
    it("is one file for up to 50,000 pages", () => {
        const files = sitemapFiles(site, pages(50_000));

        assert.deepEqual(
            files.map(([file]) => file),
            ["sitemap.xml"],
        );
        assert.match(files[0]?.[1] ?? "", /<urlset [^>]*>\n<url><loc>[^<]*\/p0<\/loc><lastmod>2026-11-01<\/lastmod>/);
    });

    it("is split into several files for more pages, within the limit of search engines", () => {
        const [[, index], ...parts] = sitemapFiles(site, pages(100_001)) as [[string, string], ...[string, string][]];

        assert.match(index, /<sitemapindex /);
        assert.deepEqual(routesIn(index), ["sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml"]);
        assert.deepEqual(
            parts.map(([file]) => file),
            routesIn(index),
        );
        assert.deepEqual(
            parts.flatMap(([, xml]) => routesIn(xml)),
            pages(100_001).map(({ route }) => route),
        );
        assert.deepEqual(
            parts.map(([, xml]) => routesIn(xml).length),
            [50_000, 50_000, 1],
        );
    });
});
