import assert from "node:assert/strict";
import { useSitePages } from "./support/site-page.js";

const group = (names: readonly string[]) =>
    `<Tabs>\n${names.map((name) => `<Tab title="${name}">Text of ${name}.</Tab>`).join("\n")}\n</Tabs>`;
const both = `${group(["npm", "pnpm"])}\n\n${group(["JavaScript", "Python"])}\n`;

describe("Tabs and code on a page", function () {
    this.timeout(60_000);
    const withPage = useSitePages();

    it("remember one tab for each group", async () => {
        await withPage({ "index.mdx": `# Home\n\n${both}` }, async (page) => {
            await page.getByRole("tab", { name: "pnpm" }).click();
            await page.getByRole("tab", { name: "Python" }).click();
            await page.reload();
            assert.equal(await page.getByText("Text of pnpm.").isVisible(), true);
            assert.equal(await page.getByText("Text of Python.").isVisible(), true);
        });
    });

    it("copy code without the lines that it removes", async () => {
        const code = "const a = 1; // [!code --]\nconst a = 2; // [!code ++]\nfail(); // [!code error]";
        const init =
            "Object.defineProperty(navigator, 'clipboard', { value: { writeText: (text) => { window.copied = text; return Promise.resolve(); } } });";
        await withPage(
            { "index.md": `# Home\n\n\`\`\`js\n${code}\n\`\`\`\n` },
            async (page) => {
                await page.locator(".code").hover();
                await page.getByRole("button", { name: "Copy" }).click();
                await page.getByRole("button", { name: "Copied" }).waitFor();
                assert.equal(await page.evaluate("copied"), "const a = 2;\nfail();");
            },
            { init },
        );
    });
});
