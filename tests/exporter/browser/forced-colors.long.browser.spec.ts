import assert from "node:assert/strict";
import { type Locator, type Page } from "playwright-core";
import { useSitePages } from "./support/site-page.js";

const marked = "```js\nconst a = 1; // [!code ++]\nconst b = 2; // [!code --]\nconst c = 3; // [!code hl]\n```";
const files = {
    "index.mdx": `# Home\n\nThe wombat sleeps.\n\n<Tabs>\n<Tab title="One">1</Tab>\n<Tab title="Two">2</Tab>\n</Tabs>\n\n${marked}\n`,
    "wombats.md": "# Wombats\n\nAll about the wombat.\n",
    "changelog.mdx":
        '# Changelog\n\n<Update label="Two" tags={["new"]}>2</Update>\n\n<Update label="One" tags={["old"]}>1</Update>\n',
};

/** What readers see of an element: its colours, and the lines at its edges. */
interface Look {
    readonly text: string;
    readonly background: string;
    readonly outline: string;
    readonly below: string;
}

const look = (element: Locator): Promise<Look> =>
    element.evaluate((each) => {
        const { color, outlineStyle, borderBottomColor } = getComputedStyle(each);
        let painted = each;
        while (/, 0\)$/.test(getComputedStyle(painted).backgroundColor) && painted.parentElement !== null) {
            painted = painted.parentElement;
        }
        const { backgroundColor } = getComputedStyle(painted);
        return { text: color, background: backgroundColor, outline: outlineStyle, below: borderBottomColor };
    });

describe("In forced colours", function () {
    this.timeout(60_000);
    const withPage = useSitePages();
    const inForcedColors = (use: (page: Page) => Promise<void>, file?: string) =>
        withPage(files, use, { forcedColors: "active", ...(file === undefined ? {} : { file }) });

    it("found words and the chosen result of a search can be seen", async () => {
        await inForcedColors(async (page) => {
            await page.keyboard.press("/");
            await page.getByRole("combobox").fill("wombat");
            const [chosen, other] = [
                page.locator("[role=option][aria-selected=true]"),
                page.locator("[role=option]").nth(1),
            ];
            await other.waitFor();
            const mark = await look(page.locator(".search mark").first());
            assert.notEqual(mark.text, mark.background);
            assert.deepEqual([(await look(chosen)).outline, (await look(other)).outline], ["solid", "none"]);
        });
    });

    it("the chosen tab has a line that the others lack", async () => {
        await inForcedColors(async (page) => {
            const [one, two] = [page.getByRole("tab", { name: "One" }), page.getByRole("tab", { name: "Two" })];
            assert.notEqual((await look(one)).below, (await look(one)).background);
            assert.notEqual((await look(one)).below, (await look(two)).below);
        });
    });

    it("a pressed button differs from the others, and its text from its background", async () => {
        await inForcedColors(async (page) => {
            const [pressed, other] = [
                page.getByRole("button", { name: "new" }),
                page.getByRole("button", { name: "old" }),
            ];
            await pressed.click();
            const { text, background } = await look(pressed);
            assert.notEqual(text, background);
            assert.notEqual(background, (await look(other)).background);
        }, "changelog.html");
    });

    it("added, removed and marked lines of code have a sign and a bar", async () => {
        await inForcedColors(async (page) => {
            const signs = await page.locator(".code .line").evaluateAll((lines) =>
                lines.map((line) => {
                    const { content, borderLeftWidth, borderLeftStyle } = getComputedStyle(line, "::after");
                    return [content, borderLeftWidth, borderLeftStyle];
                }),
            );
            assert.deepEqual(signs, [
                ['"+"', "3px", "solid"],
                ['"−"', "3px", "solid"],
                ['""', "3px", "solid"],
            ]);
        });
    });
});
