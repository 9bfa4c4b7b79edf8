import { readFileSync } from "node:fs";
import { type Page } from "playwright-core";
import { formOf } from "../../../exporter/src/api/openapi/operation-page.js";
import { assertReceived, captureRequests, sentFile } from "../support/requests/received-request.js";
import { requestsTo } from "../support/requests/requests-to.js";
import { useChromium, withReader } from "./chromium.js";

const script = readFileSync(new URL("../../../exporter/dist/bundled/try-it.mjs", import.meta.url), "utf8");

/** The requests that a page can send: a browser lets no page set a cookie, and asks for a name and a password. */
function sendableTo(address: string): ReturnType<typeof requestsTo> {
    return requestsTo(address).filter(({ request: { headers } }) =>
        headers.every(([name, value]) => name !== "Cookie" && !value.startsWith("Basic ")),
    );
}

/** Enters the values that the model has for credentials and for a parameter without an example. */
async function fillIn(page: Page, name: string): Promise<void> {
    for (const field of await page.locator("input[type=password]").all()) {
        const label = (await field.locator("xpath=..").textContent()) ?? "";
        await field.fill(label.includes("app id") ? "API_KEY" : label.includes("Bearer") ? "<token>" : "<api-key>");
    }
    if (name.startsWith("a needed parameter") || name === "names in the path") {
        for (const field of await page.locator("input[required]").all()) {
            const label = (await field.locator("xpath=..").textContent()) ?? "";
            await field.fill(label.startsWith("Server") ? await field.inputValue() : label.slice(0, 1).toUpperCase());
        }
    }
    for (const field of await page.locator("input[type=file]").all()) {
        const label = (await field.locator("xpath=..").textContent()) ?? "";
        const mimeType = label.startsWith("picture") ? "image/png" : "application/octet-stream";
        await field.setInputFiles({ name: "file", mimeType, buffer: sentFile });
    }
}

describe("Try it, for every kind of parameter, body and credential", function () {
    this.timeout(180_000);
    const browser = useChromium();

    it("sends the request of the model, which the printed code sends, too", async () => {
        let sent: ReturnType<typeof requestsTo> = [];
        const received = await captureRequests(async (address) => {
            sent = sendableTo(address);
            await withReader(browser(), async (page) => {
                for (const { name, operation, request } of sent) {
                    await page.goto(address);
                    await page.setContent(
                        `<article><p class="operation"></p>${formOf(operation, request, {})}</article>`,
                    );
                    await page.addScriptTag({ content: script });
                    await page.locator("summary").click();
                    await fillIn(page, name);
                    await page.getByRole("button", { name: "Send" }).click();
                    await page.locator(".try-it-status", { hasText: /ms$|no answer/ }).waitFor();
                }
            });
        });
        assertReceived(sent, received);
    });
});
