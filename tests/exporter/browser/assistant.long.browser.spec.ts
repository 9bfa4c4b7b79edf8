import assert from "node:assert/strict";
import { type BrowserContextOptions, type Page } from "playwright-core";
import { AnswerBlocks } from "../../../answer/src/assistant/answer-blocks.js";
import { type AssistantSettings } from "../../../answer/src/index.js";
import { type Asking, withAssistant } from "../../answer/support/ask-assistant.js";
import { type Step } from "../../answer/support/scripted-endpoint.js";
import { type Files } from "../support/site-fixture.js";
import { axeViolations, useChromium, withReader } from "./chromium.js";
import { type DeployedSite, withDeployedSite } from "./support/deployed-site.js";

const files: Files = {
    "docs.json": JSON.stringify({
        name: "Walrus",
        contextual: { options: ["copy", "assistant"] },
        navigation: { pages: ["index", "guides/start"] },
    }),
    "index.md": "# Home\n\nWhere to begin.\n",
    "guides/start.md": "# Start\n\nInstall the walrus with npm.\n\n```sh\nnpm install walrus\n```\n",
};

const looksFirst: Step = { calls: "search", with: { query: "walrus" } };
const code = "```sh\nnpm install walrus\n```";
const answered: readonly Step[] = [
    looksFirst,
    { says: ["Install it, as [Start](/guides/", `start) says:\n\n${code}\n\n- **first** this`, "\n- then `that`\n"] },
];

interface Opened extends Asking {
    readonly page: Page;
    readonly site: DeployedSite;
}

describe("the assistant panel", function () {
    this.timeout(120_000);
    const browser = useChromium();

    const withPanel = (
        steps: readonly Step[],
        use: (opened: Opened) => Promise<void>,
        { settings = {}, ...options }: BrowserContextOptions & { settings?: Partial<AssistantSettings> } = {},
    ) =>
        withAssistant(
            steps,
            (asking) =>
                withDeployedSite(asking.outDir, asking.address, (site) =>
                    withReader(
                        browser(),
                        async (page) => {
                            await page.goto(`${site.url}/guides/start`);
                            await use({ ...asking, page, site });
                        },
                        options,
                    ),
                ),
            settings,
            files,
        );

    const ask = async (page: Page, question: string) => {
        const box = page.getByRole("textbox", { name: "Your question" });
        await box.fill(question);
        await box.press("Enter");
    };
    const focused = (page: Page) => page.evaluate("document.activeElement.className || document.activeElement.tagName");

    it("opens with a shortcut, answers with links and sources, and restores the focus", async () => {
        await withPanel(answered, async ({ page, site, endpoint }) => {
            assert.deepEqual(
                site.paths.filter((path) => /assistant|\/v2\//.test(path)),
                [],
            );
            await page.locator(".search-open").focus();
            await page.keyboard.press("?");
            const panel = page.getByRole("dialog", { name: "Assistant" });
            await panel.waitFor();
            assert.equal(await focused(page), "TEXTAREA");
            await ask(page, "How do I install it?");
            const card = panel.getByRole("list", { name: "Sources" }).getByRole("link");
            await card.waitFor();
            assert.equal(await card.innerText(), "Start\n/guides/start");
            assert.equal(await panel.locator(".assistant-answer pre code").textContent(), "npm install walrus");
            assert.deepEqual(await panel.locator(".assistant-answer li:has(strong, code)").allInnerTexts(), [
                "first this",
                "then that",
                "Start\n/guides/start",
            ]);
            assert.match(JSON.stringify(endpoint.asked[0]?.messages), /I am looking at the page \/guides\/start\./);
            await panel.getByRole("link", { name: "Start", exact: true }).focus();
            for (let count = 0; count < 12; count++) {
                await page.keyboard.press("Tab");
                assert.ok(await page.evaluate("document.activeElement.closest('dialog, body') !== null"));
            }
            await page.keyboard.press("Escape");
            assert.equal(await focused(page), "search-open");
            await page.keyboard.press("?");
            await card.click();
            await page.waitForURL(`${site.url}/guides/start`);
        });
    });

    it("opens from the search with the query, and from the page menu", async () => {
        await withPanel(answered, async ({ page, endpoint }) => {
            await page.keyboard.press("/");
            await page.getByRole("combobox").fill("walrus");
            const options = page.getByRole("option");
            await options.last().filter({ hasText: "Ask the assistant: “walrus”" }).waitFor();
            await page.keyboard.press("ArrowUp");
            for (let count = await options.count(); count > 1; count--) {
                await page.keyboard.press("ArrowDown");
            }
            await page.keyboard.press("Enter");
            await page.getByRole("list", { name: "Sources" }).waitFor();
            assert.match(JSON.stringify(endpoint.asked[0]?.messages), /nwalrus"/);
            await page.keyboard.press("Escape");
            await page.locator(".page-menu summary").click();
            await page.getByRole("button", { name: "Ask the assistant" }).click();
            await page.getByRole("dialog", { name: "Assistant" }).waitFor();
        });
    });

    it("sends the conversation and the reader's selection, but not a selection that the reader removed", async () => {
        await withPanel([...answered, ...answered, ...answered], async ({ page, endpoint }) => {
            const lastAsked = () => JSON.stringify(endpoint.asked.at(-1)?.messages);
            await page.evaluate("getSelection().selectAllChildren(document.querySelector('main pre code'))");
            await page.keyboard.press("?");
            await page.getByText("Selected text: “npm install walrus").waitFor();
            await ask(page, "What does this do?");
            const sources = page.getByRole("list", { name: "Sources" });
            await sources.first().waitFor();
            assert.match(lastAsked(), /npm install walrus/);
            await ask(page, "And then?");
            await sources.nth(1).waitFor();
            assert.match(lastAsked(), /What does this do\?.*Install it, as .*And then\?/);
            await page.keyboard.press("Escape");
            await page.getByRole("dialog", { name: "Assistant" }).waitFor({ state: "hidden" });
            await page.evaluate("getSelection().selectAllChildren(document.querySelector('main h1'))");
            await page.keyboard.press("?");
            await page.getByRole("button", { name: "Remove" }).click();
            await ask(page, "Once more?");
            await sources.nth(2).waitFor();
            assert.doesNotMatch(lastAsked(), /Once more\?[^}]*Start/);
        });
    });

    it("passes axe with an answer, sources and an error, also on a phone", async () => {
        for (const colorScheme of ["light", "dark"] as const) {
            await withPanel(
                [...answered, { status: 500 }],
                async ({ page }) => {
                    await page.keyboard.press("?");
                    assert.deepEqual(await axeViolations(page), []);
                    await ask(page, "How?");
                    await page.getByRole("list", { name: "Sources" }).waitFor();
                    await ask(page, "Again?");
                    await page.locator(".assistant-problem").waitFor();
                    for (const width of [1400, 390]) {
                        await page.setViewportSize({ width, height: 800 });
                        assert.deepEqual(await axeViolations(page), []);
                        assert.equal(await page.evaluate("document.documentElement.scrollWidth"), width);
                        const box = await page.getByRole("dialog").boundingBox();
                        assert.ok(box !== null && box.x >= 0 && box.x + box.width <= width && box.height === 800);
                    }
                },
                { colorScheme },
            );
        }
    });

    it("offers the search if the endpoint fails, and keeps the question", async () => {
        await withPanel([{ status: 500 }], async ({ page }) => {
            await page.keyboard.press("?");
            await ask(page, "install walrus");
            await page.getByText("The assistant is not answering at the moment.").waitFor();
            assert.equal(await page.getByRole("textbox").inputValue(), "install walrus");
            await page.getByRole("button", { name: "Search: “install walrus”" }).click();
            await page.getByRole("option").first().waitFor();
            assert.equal(await page.getByRole("combobox").inputValue(), "install walrus");
        });
    });

    it("reports an unreachable server and an incomplete answer", async () => {
        await withPanel(answered, async ({ page }) => {
            for (const [count, answer] of [
                () => ({ status: 503, contentType: "application/json", body: "{}" }),
                () => ({ status: 200, contentType: "text/html", body: "<!doctype html>" }),
                () => ({ status: 200, contentType: "text/event-stream", body: 'data: {"type":"start"}\n\n' }),
            ].entries()) {
                await page.route("**/v2/**", (route) => route.fulfill(answer()));
                await page.keyboard.press("?");
                await ask(page, "How?");
                await page.locator(".assistant-problem").nth(count).waitFor();
                assert.match(await page.locator(".assistant-problem").last().innerText(), /is not answering/);
            }
        });
    });

    it("shows when the reader may ask again after too many questions", async () => {
        await withPanel(
            answered,
            async ({ page }) => {
                await page.keyboard.press("?");
                await ask(page, "How?");
                await page.getByRole("list", { name: "Sources" }).waitFor();
                await ask(page, "How else?");
                await page.getByText(/^Too many questions\. Ask again in \d+ seconds\.$/).waitFor();
            },
            { settings: { requestsPerMinute: 1 } },
        );
    });

    it("shows the support address if the pages do not contain an answer", async () => {
        await withPanel([looksFirst, { says: "NO_ANSWER" }], async ({ page }) => {
            await page.keyboard.press("?");
            await ask(page, "What is the price?");
            const link = page.getByRole("link", { name: "help@example.com" });
            assert.equal(await link.getAttribute("href"), "mailto:help@example.com");
        });
    });

    it("stops an answer when the reader stops it or closes the panel", async () => {
        for (const stop of [
            (page: Page) => page.getByRole("button", { name: "Stop" }).click(),
            (page: Page) => page.keyboard.press("Escape"),
        ]) {
            const slow: Step = { reasons: "Hm.", says: "It is [here](/guides/start).\n\nAnd", hangs: true };
            await withPanel([looksFirst, slow], async ({ page, endpoint }) => {
                await page.keyboard.press("?");
                await ask(page, "How?");
                await page.getByRole("link", { name: "here" }).waitFor();
                assert.equal(await page.getByRole("log").getAttribute("aria-busy"), "true");
                await stop(page);
                await endpoint.cancelled;
                assert.equal(await page.locator(".assistant-log").getAttribute("aria-busy"), "false");
                assert.equal(await page.locator(".assistant-problem").count(), 0);
            });
        }
    });

    it("escapes hostile text: no elements, no scripts, and links only to web and mail addresses", async () => {
        const hostile = [
            "<img src=x onerror=\"window.hacked='img'\"><script>window.hacked='script'</script>",
            "[a](javascript:window.hacked=1) [b](data:text/html,x) [c](//evil.example.com) ![p](https://evil.example.com/p)",
            '[d](/x"onmouseover="window.hacked=1) <javascript:alert(1)> `<b>x</b>` [e](vbscript:x) [f](\\\\evil)',
            "| <i>a</i> | b |\n| --- | --- |\n| <svg onload=alert(1)> | c |",
        ].join("\n\n");
        // A server that resolves every link.
        const blocks = new AnswerBlocks((target) => Promise.resolve(target));
        const chunks = [
            { type: "data-blocks", data: [...(await blocks.push(hostile)), ...(await blocks.flush())] },
            { type: "source-url", url: "javascript:window.hacked=2", title: "<b>Evil</b>" },
            { type: "source-url", url: "/guides/start", title: "<b>Start</b>" },
            { type: "finish" },
        ];
        const body = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
        await withPanel(answered, async ({ page }) => {
            await page.route("**/v2/**", (route) => route.fulfill({ contentType: "text/event-stream", body }));
            await page.keyboard.press("?");
            await ask(page, "How?");
            await page.getByRole("list", { name: "Sources" }).waitFor();
            const answer = page.locator(".assistant-answer");
            const elements = "img, script, svg, b, i, iframe, [onerror], [onload], [onmouseover]";
            assert.equal(await answer.locator(elements).count(), 0);
            const addresses = await answer
                .locator("a")
                .evaluateAll((links) => links.map((link) => (link as unknown as { href: string }).href));
            assert.ok(addresses.length > 0 && addresses.every((href) => /^https?:/.test(href)), addresses.join(" "));
            assert.match(await answer.innerText(), /<img src=x onerror=.*<script>window\.hacked/);
            assert.match(await answer.innerText(), /<b>Start<\/b>/);
            assert.equal(await page.evaluate("window.hacked"), undefined);
        });
    });

    it("is hidden in a deployment without an assistant", async () => {
        await withAssistant(
            answered,
            ({ outDir }) =>
                withDeployedSite(outDir, undefined, (site) =>
                    withReader(browser(), async (page) => {
                        await page.goto(`${site.url}/guides/start`);
                        await page.keyboard.press("?");
                        await page.keyboard.press("/");
                        await page.getByRole("combobox").fill("walrus");
                        await page.getByRole("option").first().waitFor();
                        assert.equal(await page.getByText("Ask the assistant").count(), 0);
                        assert.deepEqual(
                            site.paths.filter((path) => path.includes("assistant")),
                            [],
                        );
                    }),
                ),
            {},
            files,
        );
    });
});
