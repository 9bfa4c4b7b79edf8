import assert from "node:assert/strict";
import { type Page } from "playwright-core";
import { useSitePages } from "./support/site-page.js";

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"></svg>';

/** Style rules that sites define for the columns of the platform's pages. */
const foreignLayout = `
#navbar { position: fixed !important; width: 50vw !important; }
#sidebar { position: fixed !important; left: 200px !important; width: 30rem !important; margin-left: 5rem; }
#sidebar-content { width: 40rem !important; }
#body-content { display: flex !important; padding-left: 18rem !important; margin-left: -4rem !important; }
#content-area { margin-left: max(0px, calc(50vw - 348px - 18rem)) !important; transform: translateX(9rem); float: right; }
#table-of-contents-layout { width: 5rem !important; margin-left: 3rem; }`;

/** Measures the left edges, tops and widths of the frame's parts. */
const places = (page: Page) =>
    page.evaluate<
        string[]
    >(`[...document.querySelectorAll(".top, .layout, .sidebar, #sidebar-content, main, .toc")].map((part) => {
        const { left, top, width } = part.getBoundingClientRect();
        return [part.className || part.id, Math.round(left), Math.round(top), Math.round(width)].join(" ");
    })`);

describe("pages that were written for other builders", function () {
    this.timeout(60_000);
    const withPage = useSitePages();

    it("show their columns in the same places, regardless of the site's style sheets", async () => {
        const files = {
            "docs.json": '{"navigation":{"pages":["index","b"]}}',
            "index.md": "## One\n\n## Two\n",
            "b.md": "B",
        };
        const found: string[][][] = [];
        for (const css of ["a {}", foreignLayout]) {
            await withPage({ ...files, "own.css": css }, async (page) => {
                const ofSizes = [];
                for (const width of [1440, 1000, 390]) {
                    await page.setViewportSize({ width, height: 800 });
                    ofSizes.push(await places(page));
                }
                found.push(ofSizes);
            });
        }
        assert.deepEqual(found[1], found[0]);
        assert.ok(
            found[0]?.[0]?.some((place) => place.startsWith("sidebar ")),
            String(found),
        );
    });

    it("show light and dark pictures only in their own mode", async () => {
        const names = ["gh-light-mode-only", "gh-dark-mode-only"];
        const source = names.map((name) => `![${name}](/a.svg#${name})`).join("\n");
        for (const [colorScheme, wanted] of [
            ["light", ["gh-light-mode-only"]],
            ["dark", ["gh-dark-mode-only"]],
        ] as const) {
            const shown = `[...document.querySelectorAll("article img")].filter((img) => img.checkVisibility()).map(({ alt }) => alt)`;
            await withPage(
                { "index.md": `# Home\n\n${source}\n`, "a.svg": svg },
                async (page) => assert.deepEqual(await page.evaluate(shown), wanted),
                { colorScheme },
            );
        }
    });

    it("have headings in six sizes, none smaller than code or larger than the level above", async () => {
        const source = [1, 2, 3, 4, 5, 6].map((level) => `${"#".repeat(level)} Level ${level}\n\nText\n`).join("\n");
        await withPage({ "index.md": source }, async (page) => {
            const looks = await page.evaluate<
                [number, string, string][]
            >(`[...document.querySelectorAll("article :is(h1, h2, h3, h4, h5, h6)")].map((heading) => {
                const { fontSize, fontWeight, color } = getComputedStyle(heading);
                return [parseFloat(fontSize), fontWeight, color];
            })`);
            const sizes = looks.map(([size]) => size);
            assert.deepEqual(
                sizes,
                sizes.toSorted((one, other) => other - one),
            );
            assert.ok(
                sizes.every((size) => size >= 14),
                sizes.join(" "),
            );
            assert.ok(looks.every(([, weight]) => Number(weight) >= 600));
            assert.equal(new Set(looks.map(([size, , color]) => `${size} ${color}`)).size, 6, JSON.stringify(looks));
        });
    });

    it("list a page that follows a group separately from the group's members", async () => {
        const pages = ["index", { group: "Group", pages: ["a", "b"] }, "c", "d"];
        const files = { "index.md": "Home", "a.md": "A", "b.md": "B", "c.md": "C", "d.md": "D" };
        await withPage({ ...files, "docs.json": JSON.stringify({ navigation: { pages } }) }, async (page) => {
            const [a, b, c, d] = await page.evaluate<
                [number, number, number, number]
            >(`["a", "b", "c", "d"].map((name) =>
                document.querySelector(\`.sidebar a[href="\${name}.html"]\`).getBoundingClientRect().top)`);
            assert.ok(c - b >= b - a + 12, `${a} ${b} ${c}`);
            assert.equal(Math.round(d - c), Math.round(b - a));
        });
    });
});
