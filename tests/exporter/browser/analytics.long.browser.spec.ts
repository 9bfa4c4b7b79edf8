import assert from "node:assert/strict";
import { type Page } from "playwright-core";
import { type ExportSiteOptions } from "../../../exporter/src/write/export-site.js";
import { type Files, withExport } from "../support/site-fixture.js";
import { entriesOf } from "../../scale.js";
import { axeViolations, useChromium, withReader } from "./chromium.js";
import { routeSite, type RoutedSite } from "./support/routed-site.js";
import { type FakeService, services } from "./support/services.js";

const address = "https://docs.example.com/start.html";
const api = {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: {
        "/pets/{id}": {
            get: {
                summary: "Read a pet",
                parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
                responses: { "200": { description: "OK" } },
            },
        },
    },
};

function siteWith(integrations: object, others: object = {}): Files {
    return {
        "docs.json": JSON.stringify({
            name: "Docs",
            integrations,
            ...others,
            navigation: { pages: ["start", "pets"] },
        }),
        "api.json": JSON.stringify(api),
        "start.md": "# Start\n\nWith **wombats**.\n\n```sh\nnpm test\n```\n",
        "pets.md": "---\nopenapi: api.json GET /pets/{id}\n---\n",
    };
}

const plausible = { plausible: services.plausible.settings };
const consent = { key: "consent", value: "yes" };

describe("the integrations of a site in a browser", function () {
    this.timeout(180_000);
    const browser = useChromium();

    async function withSite(
        files: Files,
        fakes: readonly FakeService[],
        use: (page: Page, site: RoutedSite) => Promise<void>,
        { init = "", ...options }: Partial<ExportSiteOptions> & { init?: string } = {},
    ): Promise<void> {
        const read = ({ outDir }: { outDir: string }) =>
            withReader(browser(), async (page) => {
                await page.addInitScript(init);
                await use(page, await routeSite(page, outDir, fakes));
            });
        await withExport(files, read, options);
    }

    const copyCode = (page: Page) => page.locator("button.copy").first().click();
    for (const [name, fake] of entriesOf(services)) {
        it(`load, and report to ${name}, under a policy that allows only its hosts`, async () => {
            await withSite(siteWith({ [name]: fake.settings }), [fake], async (page, site) => {
                await page.goto(address);
                await copyCode(page);
                await site.arrival(fake.event);
                assert.deepEqual([site.asked, site.refused], [[fake.script], []]);
                const elsewhere = await page.evaluate(
                    "fetch('https://elsewhere.example.net/').then(() => 'sent', () => 'refused')",
                );
                assert.equal(elsewhere, "refused");
                assert.deepEqual(site.asked, [fake.script]);
            });
        });
    }

    it("receive page views from the export if their own scripts do not count them", async () => {
        const { mixpanel, logrocket } = services;
        const both = { mixpanel: mixpanel.settings, logrocket: logrocket.settings };
        await withSite(siteWith(both), [mixpanel, logrocket], async (page, site) => {
            await page.goto(address);
            await site.arrival("docs.content.view", 2);
            const views = site.received.filter(({ name }) => name === "docs.content.view");
            assert.deepEqual(views, Array(2).fill({ name: "docs.content.view", data: { page: "/start.html" } }));
        });
    });

    it("receive search queries, requests without values, menu choices and votes", async () => {
        const others = { contextual: { options: ["copy"] }, feedback: { thumbsRating: true } };
        await withSite(siteWith(plausible, others), [services.plausible], async (page, site) => {
            await page.goto(address);
            await page.getByRole("button", { name: "Copy page" }).click();
            await site.arrival("docs.contextual.choose");
            await page.getByRole("button", { name: "Yes" }).click();
            assert.equal(await page.locator(".helpful [role=status]").textContent(), "Thank you for your feedback.");
            await site.arrival("docs.feedback.thumbs_up");
            await page.keyboard.press("/");
            await page.getByRole("combobox").fill("wombats");
            await page.getByRole("option").first().waitFor();
            await page.keyboard.press("Escape");
            await site.arrival("docs.search.query");
            await page.goto("https://docs.example.com/pets.html");
            await page.locator("summary", { hasText: "Try it" }).click();
            await page.getByLabel("id").fill("secret-pet");
            await page.getByRole("button", { name: "Send" }).click();
            await site.arrival("docs.api_playground.request");
            const { received } = site;
            assert.deepEqual(
                received.filter(({ name }) => name.startsWith("docs.")),
                [
                    { name: "docs.contextual.choose", data: { page: "/start.html", option: "copy" } },
                    { name: "docs.feedback.thumbs_up", data: { page: "/start.html" } },
                    { name: "docs.search.query", data: { page: "/start.html", query: "wombats", hits: 1 } },
                    {
                        name: "docs.api_playground.request",
                        data: { page: "/pets.html", method: "GET", path: "/pets/{id}" },
                    },
                ],
            );
            assert.ok(site.asked.includes("https://api.example.com/pets/secret-pet"));
        });
    });

    it("are loaded only while the consent cookie exists", async () => {
        await withSite(siteWith({ ...plausible, cookies: consent }), [services.plausible], async (page, site) => {
            await page.goto(address);
            await copyCode(page);
            assert.deepEqual([site.asked, site.received], [[], []]);
            await page.evaluate("document.cookie = 'consent=yes'");
            await site.arrival("pageview");
            const reloaded = page.waitForEvent("load");
            await page.evaluate("document.cookie = 'consent=; max-age=0'");
            await reloaded;
            await copyCode(page);
            assert.deepEqual([site.asked.length, site.received.length], [1, 1]);
        });
    });

    for (const [value, expected] of [
        ["no", 0],
        ["yes", 1],
    ] as const) {
        it(`are ${expected === 0 ? "not " : ""}loaded if the cookie is set to ${value}`, async () => {
            await withSite(siteWith({ ...plausible, cookies: consent }), [services.plausible], async (page, site) => {
                await page.context().addCookies([{ name: "consent", value, url: address }]);
                await page.goto(address);
                await copyCode(page);
                await (expected === 0 ? page.waitForLoadState("networkidle") : site.arrival("pageview"));
                assert.equal(site.asked.length, expected);
            });
        });
    }

    const managers = {
        osano: {
            script: "https://cmp.osano.com/a/b/osano.js",
            program:
                "const heard = {}; window.Osano = { cm: { addEventListener(name, use) { heard[name] = use; } } };" +
                "window.decide = (may) => heard['osano-cm-consent-saved']({ ANALYTICS: may ? 'ACCEPT' : 'DENY' });" +
                "setTimeout(() => heard['osano-cm-initialized']({ ANALYTICS: 'DENY' }));",
        },
        transcend: {
            script: "https://transcend-cdn.com/cm/a/airgap.js",
            program:
                "let may = false; const heard = []; const { readyQueue } = window.airgap;" +
                "window.airgap = { getConsent: () => ({ purposes: { Analytics: may } })," +
                "addEventListener(name, use) { heard.push(use); } };" +
                "window.decide = (given) => { may = given; heard.forEach((use) => use()); };" +
                "readyQueue.forEach((use) => use(window.airgap));",
        },
    };
    for (const [name, { script, program }] of entriesOf(managers)) {
        it(`wait for consent from ${name}, and stop when it is withdrawn`, async () => {
            const manager: FakeService = { settings: {}, script, receiver: "none", event: "", program };
            const fakes = [services.plausible, manager];
            await withSite(siteWith({ ...plausible, [name]: script }), fakes, async (page, site) => {
                await page.goto(address);
                await page.waitForFunction("window.decide !== undefined");
                await copyCode(page);
                assert.deepEqual([site.asked, site.received, site.refused], [[script], [], []]);
                await page.evaluate("window.decide(true)");
                await site.arrival("pageview");
                const reloaded = page.waitForEvent("load");
                await page.evaluate("window.decide(false)");
                await reloaded;
                await copyCode(page);
                assert.equal(site.received.length, 1);
            });
        });
    }

    const wishes = {
        "Do Not Track": "Object.defineProperty(Navigator.prototype, 'doNotTrack', { get: () => '1' })",
        "Global Privacy Control":
            "Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })",
    };
    for (const [wish, init] of Object.entries(wishes)) {
        it(`respect ${wish}: only the support widget is loaded, and no consent prompt is shown`, async () => {
            const files = siteWith(
                { ...plausible, intercom: services.intercom.settings },
                { feedback: { thumbsRating: true } },
            );
            const use = async (page: Page, site: RoutedSite) => {
                await page.goto(address);
                await copyCode(page);
                await site.arrival("boot int1");
                assert.deepEqual(site.asked, [services.intercom.script]);
                assert.equal(await page.getByText("Was this page helpful?").isVisible(), false);
            };
            await withSite(files, [services.plausible, services.intercom], use, { init });
        });
    }

    it("use a policy that lets the site's own scripts draw diagrams", async () => {
        const files = { ...siteWith(plausible), "start.md": "```mermaid\nflowchart LR\n  A --> B\n```\n" };
        await withSite(files, [services.plausible], async (page, site) => {
            await page.goto(address);
            await page.locator(".diagram svg").waitFor();
            assert.deepEqual(site.refused, []);
        });
    });

    it("are not loaded if a preview is served at another address", async () => {
        await withSite(siteWith(plausible), [services.plausible], async (page, site) => {
            await page.goto("https://preview.example.com/start.html");
            await copyCode(page);
            await page.waitForLoadState("networkidle");
            assert.deepEqual([site.asked, site.received], [[], []]);
        });
    });

    it("cause no axe violations on the page or in its prompts", async () => {
        const repository = "https://github.com/acme/docs";
        const feedback = { thumbsRating: true, suggestEdit: true, raiseIssue: true, repository };
        await withSite(siteWith(plausible, { feedback }), [services.plausible], async (page) => {
            await page.goto(address);
            await page.getByText("Was this page helpful?").waitFor();
            for (const colorScheme of ["light", "dark"] as const) {
                await page.emulateMedia({ colorScheme });
                assert.deepEqual(await axeViolations(page), []);
            }
            await page.getByRole("button", { name: "No", exact: true }).click();
            assert.deepEqual(await axeViolations(page), []);
        });
    });
});
