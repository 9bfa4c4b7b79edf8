import assert from "node:assert/strict";
import { useSitePages } from "./support/site-page.js";

const fence = (language: string, code: string, title = "") => `\`\`\`${language}${title}\n${code}\n\`\`\`\n`;

/** Pages with two tabs of different platforms. */
const tabs: Record<string, readonly [file: string, source: string]> = {
    Tabs: ["index.mdx", '<Tabs>\n<Tab title="First">\n\nOne\n\n</Tab>\n<Tab title="Second">\n\nTwo\n\n</Tab>\n</Tabs>'],
    View: ["index.mdx", '<View title="First">\n\nOne\n\n</View>\n\n<View title="Second">\n\nTwo\n\n</View>'],
    CodeGroup: [
        "index.mdx",
        `<CodeGroup>\n\n${fence("sh", "One", " First")}\n${fence("sh", "Two", " Second")}\n</CodeGroup>`,
    ],
    "CodeGroup without titles": [
        "index.mdx",
        `<CodeGroup>\n\n${fence("first", "One")}\n${fence("second", "Two")}\n</CodeGroup>`,
    ],
    "CodeGroup as a menu": [
        "index.mdx",
        `<CodeGroup dropdown>\n\n${fence("first", "One")}\n${fence("second", "Two")}\n</CodeGroup>`,
    ],
    GitBook: [
        "index.md",
        '{% tabs %}\n{% tab title="First" %}\nOne\n{% endtab %}\n\n{% tab title="Second" %}\nTwo\n{% endtab %}\n{% endtabs %}',
    ],
};

describe("A printed page", function () {
    this.timeout(60_000);
    const withPage = useSitePages();

    for (const [what, [file, source]] of Object.entries(tabs)) {
        it(`contains all tabs, each below its title: ${what}`, async () => {
            await withPage({ [file]: `# Home\n\n${source}\n\nLast\n` }, async (page) => {
                await page.emulateMedia({ media: "print" });
                const text = await page.evaluate<string>(
                    `[...document.querySelectorAll("article *")].filter((each) => getComputedStyle(each, "::before").content.includes('"'))
                        .forEach((each) => each.prepend(JSON.parse(getComputedStyle(each, "::before").content)));
                    document.querySelector("article").innerText.toLowerCase().replace(/\\s+/g, " ")`,
                );
                assert.match(text, /first one second two last$/);
            });
        });
    }
});
