import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Browser, type Page } from "playwright-core";
import { axeViolations, useChromium, withReader } from "./chromium.js";
import { routeSite } from "./support/routed-site.js";
import { withExport, type ExportedSite, type Files } from "../support/site-fixture.js";

const guide = fileURLToPath(new URL("../../../docs/guides/components.md", import.meta.url));
const longWord = "wordwithoutanend".repeat(12);

const everything = `---
title: Everything
description: One of each.
---

## Text with a [link](/other) and \`code\`

<Note title="Note">Read **this**.</Note>
<Warning>Mind that.</Warning>
<Tip>Try it.</Tip>

<Tooltip tip="A file with everything in it" headline="Bundle">bundle</Tooltip> <Badge color="green">new</Badge>

<CardGroup cols={2}>
  <Card title="One" href="/other" icon="rocket">Text</Card>
  <Card title="${longWord}">Text</Card>
</CardGroup>

<Tabs>
  <Tab title="npm">with npm</Tab>
  <Tab title="yarn">with yarn</Tab>
</Tabs>

<Tabs>
  <Tab title="npm">again npm</Tab>
  <Tab title="yarn">again yarn</Tab>
</Tabs>

<Steps>
  <Step title="First">Do.</Step>
  <Step title="Second">Do more.</Step>
</Steps>

<AccordionGroup><Accordion title="Closed">Inside</Accordion></AccordionGroup>

<ParamField path="id" type="string" required>An id</ParamField>

<Tree><Tree.Folder name="src" defaultOpen><Tree.File name="index.ts" /></Tree.Folder></Tree>

<Update label="2026-11-01" description="v1">What is new</Update>

\`\`\`ts index.ts {2} lines
// A comment
const name: string = "docs"; const count = 12; export function readEverything(name) { return name; }
\`\`\`

\`\`\`ts focus={3}
const before = "a"; // [!code --]
const after = "b"; // [!code ++]
const focused = true;
\`\`\`

\`\`\`mermaid
flowchart LR
    A --> B
\`\`\`

$$
a^2 + b^2 = c^2
$$

| Name | A column with much text | And another one | And one more |
| --- | --- | --- | --- |
| ${longWord} | text text text text text text | text text text | text |

${longWord}
`;

const document = {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    paths: {
        "/pets/{id}/with/a/rather/long/path/that/goes/on": {
            put: {
                summary: "Change a pet",
                parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
                requestBody: { content: { "application/json": { example: { name: "Rex" } } } },
                responses: { 200: { description: "Changed" } },
            },
        },
    },
};

const files: Files = {
    "everything.mdx": everything,
    "guide.md": readFileSync(guide, "utf8").replace(/\]\((?:\/|\.\/)[^)]*\)/g, "](#x)"),
    "other.md": "# Other",
    "changes.mdx": `# Changes

<Update label="May" tags={["chart", "cli"]}>Text of May</Update>

<Update label="April" tags={["cli"]}>Text of April</Update>

<Update label="March">Text of March</Update>
`,
    "openapi.json": JSON.stringify(document),
    "site.css": [
        "html:not([data-ready]), main { visibility: hidden !important }",
        "body { display: none; opacity: 0 }",
        ".dark #footer { border-top-style: dashed !important }",
    ].join("\n"),
    "docs.json": JSON.stringify({
        name: "A site with a rather long name for a phone",
        banner: { content: "**News** of today", dismissible: true },
        navbar: {
            links: [{ label: "Status", href: "https://status.example.com" }],
            primary: { label: "Sign in", href: "https://app.example.com" },
        },
        navigation: {
            versions: [
                {
                    version: "v2",
                    tabs: [
                        { tab: "Guides", pages: ["everything", "guide"] },
                        { tab: "API", openapi: "openapi.json" },
                    ],
                },
                { version: "v1", pages: ["other"] },
            ],
        },
    }),
};
const pages = [
    "everything.html",
    "changes.html",
    "guide.html",
    "api-reference/change-a-pet.html",
    "other.html",
    "404.html",
];

describe("an exported site for human readers", function () {
    this.timeout(120_000);
    const browser = useChromium();

    async function withPage(
        use: (page: Page, open: (file: string) => Promise<void>, site: ExportedSite) => Promise<void>,
        options?: Parameters<Browser["newContext"]>[0],
    ): Promise<void> {
        await withExport(files, async (site) => {
            const read = (page: Page) => {
                const open = async (file: string): Promise<void> => {
                    if (file === "404.html") {
                        // The links of 404.html begin at the root of a domain.
                        await routeSite(page, site.outDir, []);
                        await page.goto("https://docs.example.com/404.html");
                    } else {
                        await page.goto(pathToFileURL(join(site.outDir, file)).href);
                    }
                };
                return use(page, open, site);
            };
            await withReader(browser(), read, options);
        });
    }

    for (const colorScheme of ["light", "dark"] as const) {
        it(`passes axe in ${colorScheme} colours`, async () => {
            await withPage(
                async (page, open) => {
                    for (const file of pages) {
                        await open(file);
                        for (const summary of await page.locator(".try-it summary").all()) {
                            await summary.click();
                        }
                        assert.deepEqual(await axeViolations(page), [], file);
                    }
                },
                { colorScheme },
            );
        });
    }

    it("changes its colours on a click, and uses the same colours on the next page", async () => {
        await withPage(
            async (page, open) => {
                const background = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
                await open("everything.html");
                assert.equal(await background(), "rgb(255, 255, 255)");
                await page.getByRole("button", { name: /light and dark/ }).click();
                assert.equal(await background(), "rgb(18, 21, 28)");
                await open("other.html");
                assert.equal(await background(), "rgb(18, 21, 28)");
            },
            { colorScheme: "light" },
        );
    });

    it("is visible even if its CSS waits for a script, and applies the CSS for the current colours", async () => {
        await withPage(
            async (page, open) => {
                const border = () =>
                    page.evaluate("getComputedStyle(document.querySelector('#footer')).borderTopStyle");
                await open("everything.html");
                assert.equal(await page.getByText("Mind that.").isVisible(), true);
                assert.equal(await page.evaluate("getComputedStyle(document.body).opacity"), "1");
                assert.equal(await border(), "solid");
                await page.emulateMedia({ colorScheme: "dark" });
                await page.locator("html.dark").waitFor();
                assert.equal(await border(), "dashed");
                await page.getByRole("button", { name: /light and dark/ }).click();
                assert.equal(await border(), "solid");
            },
            { colorScheme: "light" },
        );
    });

    it("shows a tooltip on keyboard focus", async () => {
        await withPage(async (page, open) => {
            await open("everything.html");
            const tip = page.getByText("A file with everything in it");
            assert.equal(await tip.isVisible(), false);
            await page.locator(".tooltip button").first().focus();
            await tip.waitFor({ state: "visible" });
        });
    });

    it("filters updates by all selected tags, but always shows the update that the address names", async () => {
        await withPage(async (page, open) => {
            await open("changes.html");
            const shown = async () => await page.locator(".update:visible .update-label").allTextContents();
            const tags = page.getByRole("group", { name: "Show only updates about" }).getByRole("button");
            assert.deepEqual(await tags.allTextContents(), ["chart", "cli"]);
            assert.deepEqual(await shown(), ["May", "April", "March"]);
            await tags.filter({ hasText: "chart" }).click();
            assert.deepEqual(await shown(), ["May"]);
            await tags.filter({ hasText: "cli" }).click();
            assert.deepEqual(await shown(), ["May"]);
            await tags.filter({ hasText: "chart" }).click();
            assert.deepEqual(await shown(), ["May", "April"]);
            await page.evaluate("window.location.hash = '#march'");
            await page.getByText("Text of March").waitFor({ state: "visible" });
            assert.deepEqual(await shown(), ["May", "April", "March"]);
            await open("everything.html");
            assert.equal(await tags.count(), 0);
        });
    });

    it("finds a heading despite different case or punctuation, and accepts invalid escapes in a link", async () => {
        await withPage(async (page, open) => {
            const errors: string[] = [];
            page.on("pageerror", ({ message }) => errors.push(message));
            await page.setViewportSize({ width: 1300, height: 700 });
            await open("guide.html");
            await page.evaluate("window.location.hash = '#Callouts'");
            await page.locator(".toc a[aria-current]", { hasText: "Callouts" }).waitFor();
            await page.evaluate("window.scrollTo(0, 0)");
            await page.evaluate("window.location.hash = '#-_callouts!'");
            await page.waitForFunction("document.getElementById('callouts').getBoundingClientRect().top < 350");
            await open("everything.html");
            await page.evaluate("window.location.hash = '#50%'");
            await page.reload();
            await page.getByRole("tab", { name: "yarn" }).first().waitFor();
            assert.deepEqual(errors, []);
        });
    });

    it("marks only the heading that is in view", async () => {
        await withPage(async (page, open) => {
            await open("guide.html");
            await page.setViewportSize({ width: 1300, height: 700 });
            await page.locator("#callouts").scrollIntoViewIfNeeded();
            await page.evaluate("document.getElementById('callouts').scrollIntoView()");
            await page.locator(".toc a[aria-current]", { hasText: "Callouts" }).waitFor();
            assert.equal(await page.locator(".toc a[aria-current]").count(), 1);
        });
    });
});
