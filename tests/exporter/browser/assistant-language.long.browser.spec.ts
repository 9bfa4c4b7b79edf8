import assert from "node:assert/strict";
import { withAssistant } from "../../answer/support/ask-assistant.js";
import { type Files } from "../support/site-fixture.js";
import { useChromium, withReader } from "./chromium.js";
import { withDeployedSite } from "./support/deployed-site.js";

const languages = ["en", "fr"];
/** A site in two languages, whose pages contain the same word. */
const files: Files = {
    "docs.json": JSON.stringify({
        name: "Walrus",
        navigation: {
            languages: languages.map((language) => ({ language, pages: [`${language}/index`, `${language}/start`] })),
        },
    }),
    ...Object.fromEntries(
        languages.flatMap((language) => [
            [`${language}/index.md`, "# Home\n"],
            [`${language}/start.md`, `# Start ${language}\n\nThe walrus in ${language}.\n`],
        ]),
    ),
};

describe("the assistant panel of a site in two languages", function () {
    this.timeout(120_000);
    const browser = useChromium();

    for (const language of languages) {
        it(`searches the pages in the language of the reader's page: ${language}`, () =>
            withAssistant(
                [{ calls: "search", with: { query: "walrus" } }, { says: "NO_ANSWER" }],
                ({ outDir, address, endpoint }) =>
                    withDeployedSite(outDir, address, (site) =>
                        withReader(browser(), async (page) => {
                            await page.goto(`${site.url}/${language}/start`);
                            await page.keyboard.press("?");
                            // The panel's words are in the page's language.
                            const box = page.locator("#chat-assistant-textarea");
                            await box.fill("Walrus?");
                            await box.press("Enter");
                            await page.locator(".assistant-answer").filter({ hasText: /\w/ }).waitFor();
                            assert.deepEqual(
                                languages.filter((each) => endpoint.toolTexts.includes(`The walrus in ${each}.`)),
                                [language],
                            );
                        }),
                    ),
                {},
                files,
            ));
    }
});
