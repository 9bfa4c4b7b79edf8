import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Page } from "playwright-core";
import { withServedSite } from "../../../dev/bench/search/served-site.js";
import { type ExportSiteOptions } from "../../../exporter/src/write/export-site.js";
import { type Files, withExport } from "../support/site-fixture.js";
import { useChromium, withReader } from "./chromium.js";
import { routeSite, type RoutedSite } from "./support/routed-site.js";
import { services } from "./support/services.js";

const api = {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: { "/pets": { get: { summary: "List pets", responses: { "200": { description: "OK" } } } } },
};

function siteWith(options: readonly unknown[] = ["copy"]): Files {
    return {
        "docs.json": JSON.stringify({
            name: "Docs",
            contextual: { options },
            integrations: { plausible: services.plausible.settings },
            navigation: { pages: ["start", "pets"] },
        }),
        "api.json": JSON.stringify(api),
        "start.md": "# Start\n\nFirst steps.\n",
        "pets.md": "---\nopenapi: api.json GET /pets\n---\n",
    };
}

const noMcp = { title: "Ours", href: { base: "https://x.example.com/", query: [{ key: "m", value: "$mcp" }] } };

describe("the features of a deployment", function () {
    this.timeout(120_000);
    const browser = useChromium();

    /**
     * Serves an export with a different `features.js`, as a deployment does; if undefined, with the export's own file.
     */
    async function withDeployment(
        features: object | undefined,
        use: (page: Page, site: RoutedSite, outDir: string) => Promise<void>,
        files = siteWith(),
        options: Partial<ExportSiteOptions> = {},
    ): Promise<void> {
        const read = async ({ outDir }: { outDir: string }) => {
            if (features !== undefined) {
                const text = `window.staticExportFeatures=${JSON.stringify(features)};\n`;
                await writeFile(join(outDir, "static-export/features.js"), text);
            }
            await withReader(browser(), async (page) => {
                await use(page, await routeSite(page, outDir, [services.plausible]), outDir);
            });
        };
        await withExport(files, read, options);
    }

    const start = "https://docs.example.com/start.html";
    const pets = "https://docs.example.com/pets.html";

    for (const [name, features, isOn] of [
        ["as exported", undefined, true],
        ["as exported where the deployment says nothing of them", {}, true],
        ["switched off", { documentationSearch: false, apiPlayground: false, webAnalytics: false }, false],
    ] as const) {
        it(`switch search, Try it and analytics ${name}`, async () => {
            await withDeployment(features, async (page, site) => {
                await page.goto(start);
                assert.equal(await page.locator(".search-open").count(), isOn ? 1 : 0);
                await page.keyboard.press("/");
                const dialog = page.getByRole("dialog");
                await (isOn ? dialog.waitFor() : page.waitForLoadState("networkidle"));
                assert.equal(await dialog.count(), isOn ? 1 : 0);
                await page.goto(pets);
                assert.equal(await page.locator("summary", { hasText: "Try it" }).count(), isOn ? 1 : 0);
                await (isOn ? site.arrival("pageview") : page.waitForLoadState("networkidle"));
                assert.equal(site.asked.length > 0, isOn);
            });
        });
    }

    it("can be switched individually, also in a folder on disk", async () => {
        await withDeployment({ documentationSearch: false }, (_page, _site, outDir) =>
            withReader(browser(), async (page) => {
                await page.goto(pathToFileURL(join(outDir, "pets.html")).href);
                assert.equal(await page.locator("summary", { hasText: "Try it" }).count(), 1);
                assert.equal(await page.locator(".search-open").count(), 0);
            }),
        );
    });

    it("work under a policy that allows only the site's own scripts", async () => {
        await withDeployment({ documentationSearch: false }, (_page, _site, outDir) =>
            withServedSite(outDir, ({ url }) =>
                withReader(browser(), async (page) => {
                    await page.goto(`${url}/start.html`);
                    assert.equal(await page.locator("h1").innerText(), "Start");
                    assert.equal(await page.locator(".search-open").count(), 0);
                }),
            ),
        );
    });

    for (const [options, features, shown] of [
        [["copy", "assistant", "mcp", noMcp], {}, ["Copy page"]],
        [["assistant", "copy", "view"], {}, ["Copy page", "View as Markdown"]],
        [["assistant", "mcp"], {}, []],
        [["assistant", "copy"], { aiAssistant: true, mcp: true }, ["Ask the assistant", "Copy page"]],
        [["mcp", "assistant"], { aiAssistant: false, mcp: true }, ["Copy the MCP server’s address"]],
        [["copy", noMcp], { mcp: true }, ["Copy page", "Ours"]],
    ] as const) {
        it(`show ${JSON.stringify(shown)} of a menu with ${options.length} options, given ${JSON.stringify(features)}`, async () => {
            const read = async (page: Page) => {
                await page.goto(start);
                const more = page.locator(".page-menu summary");
                if ((await more.count()) > 0) {
                    await more.click();
                }
                const visible = page.locator(".page-menu [data-option]:visible");
                assert.deepEqual(await visible.allInnerTexts(), shown);
                assert.equal(await page.locator(".page-menu").isVisible(), shown.length > 0);
            };
            await withDeployment(features, read, siteWith(options));
        });
    }

    it("offer the MCP server that the export announces, unless the deployment switches it off", async () => {
        for (const [features, count] of [
            [undefined, 1],
            [{ mcp: false }, 0],
        ] as const) {
            await withDeployment(
                features,
                async (page) => {
                    await page.goto(start);
                    assert.equal(await page.locator("[data-option=mcp]:visible").count(), count);
                },
                siteWith(["mcp"]),
                { answer: true },
            );
        }
    });
});
