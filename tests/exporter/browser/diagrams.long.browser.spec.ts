import assert from "node:assert/strict";
import { axeViolations } from "./chromium.js";
import { useSitePages } from "./support/site-page.js";

describe("A diagram on a page", function () {
    this.timeout(60_000);
    const withPage = useSitePages();

    it("is drawn in a hidden tab when the tab is shown, and again after a colour change", async () => {
        const diagram = "```mermaid\nflowchart LR\n    A[A long name] -->|with| B\n```";
        const source = `# Home\n\n${diagram}\n\n<Tabs>\n<Tab title="One">1</Tab>\n<Tab title="Two">\n\n${diagram}\n\n</Tab>\n</Tabs>\n`;
        await withPage(
            { "index.mdx": source },
            async (page) => {
                const drawings = page.locator(".mermaid svg");
                await drawings.first().waitFor();
                await page.getByRole("tab", { name: "Two" }).click();
                await drawings.nth(1).waitFor();
                const [first, second] = await drawings.evaluateAll((all) =>
                    all.map((svg) => svg.getAttribute("viewBox")),
                );
                assert.equal(second, first);
                const colour = () =>
                    page.evaluate("getComputedStyle(document.querySelector('.mermaid .node rect')).fill");
                const before = await colour();
                await page.getByRole("button", { name: /light and dark/ }).click();
                await drawings.nth(1).waitFor();
                assert.notEqual(await colour(), before);
            },
            { colorScheme: "light" },
        );
    });

    it("has a role and a name: its author's, its title or the word for a diagram", async () => {
        const texts = [
            "flowchart LR\n  A --> B",
            'pie title Pets\n  "Dogs" : 1',
            "flowchart LR\n  accTitle: Flow\n  A --> B",
        ];
        const source = texts.map((text) => `\`\`\`mermaid\n${text}\n\`\`\`\n`).join("\n");
        await withPage({ "index.md": `# Home\n\n${source}` }, async (page) => {
            const drawings = page.locator(".mermaid svg[role]");
            await drawings.nth(2).waitFor();
            const names = await drawings.evaluateAll((all) =>
                all.map(
                    (svg) =>
                        svg.getAttribute("aria-label") ??
                        svg.querySelector(`#${svg.getAttribute("aria-labelledby") ?? ""}`)?.textContent,
                ),
            );
            assert.deepEqual(names, ["Diagram", "Pets", "Flow"]);
            assert.deepEqual(await axeViolations(page), []);
        });
    });

    it("scrolls if its text would otherwise be too small to read", async () => {
        const chain = Array.from({ length: 12 }, (_, at) => `S${at}[Station ${at}]`).join(" --> ");
        await withPage(
            { "index.md": `# Home\n\n\`\`\`mermaid\nflowchart LR\n    ${chain}\n\`\`\`\n` },
            async (page) => {
                await page.locator(".mermaid svg[style*=min-width]").waitFor();
                const scale = await page.evaluate("document.querySelector('.mermaid svg').getScreenCTM().a");
                assert.ok(Math.abs((scale as number) - 0.6) < 0.01, String(scale));
                assert.equal(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0);
            },
        );
    });

    it("stays as it is written if only the drawing fails", async () => {
        const failing = "gantt\n  dateFormat YYYY-MM-DD\n  section S\n  Work :a, nonsense, 3d";
        const source = `# Home\n\n\`\`\`mermaid\n${failing}\n\`\`\`\n\n\`\`\`mermaid\npie\n  "A": 1\n\`\`\`\n`;
        await withPage({ "index.md": source }, async (page) => {
            await page.locator(".mermaid svg").waitFor();
            await page.locator(".mermaid").getByText("Work :a, nonsense, 3d").waitFor();
            assert.equal((await page.locator(".mermaid").first().textContent())?.trim(), failing);
        });
    });
});
