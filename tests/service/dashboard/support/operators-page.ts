import { type Browser, type Page } from "playwright-core";
import { withReader } from "../../../exporter/browser/chromium.js";
import { type RunningService, withService } from "../../support/running-service.js";
import { ScriptedExporter } from "../../support/scripted-exporter.js";

type Look = Parameters<typeof withReader>[2];
type Use = (page: Page, running: RunningService, exporter: ScriptedExporter) => Promise<void>;

/** Returns a function that opens the dashboard of a new service, signed in as its operator. */
export function operatorsPage(browser: () => Browser): (use: Use, look?: Look) => Promise<void> {
    return async (use, look = { viewport: { width: 1280, height: 800 } }) => {
        const exporter = new ScriptedExporter();
        const projects = { docs: { repository: "https://git.example.com/docs" } };
        await withService({ exporter, projects }, (running) =>
            withReader(
                browser(),
                async (page) => {
                    await page.goto(running.service.createSignInLink() ?? "");
                    await page.getByRole("button", { name: "Sign in as the operator" }).click();
                    await use(page, running, exporter);
                },
                look,
            ),
        );
    };
}
