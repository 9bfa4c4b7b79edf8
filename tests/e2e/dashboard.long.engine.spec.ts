import assert from "node:assert/strict";
import { useChromium, withReader } from "../exporter/browser/chromium.js";
import { domain, withService } from "../service/support/running-service.js";
import { copyingExporter } from "../service/support/scripted-exporter.js";
import { EngineStack } from "./support/engine-stack.js";

const program = `
    const config = new pulumi.Config();
    const docs = new StaticExportBundle("docs", {
        domain: ${JSON.stringify(domain)},
        version: config.require("version"),
        jobId: config.get("pin"),
    });
    export const jobId = docs.jobId;
`;

describe("A team that gets a key from the dashboard", () => {
    const browser = useChromium();

    it("publishes with pulumi up, and serves an earlier export again, with the lines that the pages show", async () => {
        const stack = await EngineStack.create({ program, config: { version: "1" } });
        /** Runs the lines of a page that change the stack's settings. */
        const configure = async (lines: string | null): Promise<void> => {
            for (const line of lines?.split("\n").filter((each) => each.startsWith("pulumi config set")) ?? []) {
                await stack.succeed(...line.split(" ").slice(1));
            }
        };
        try {
            await withService({ exporter: copyingExporter }, ({ service, request }) =>
                withReader(browser(), async (page) => {
                    await page.goto(service.createSignInLink() ?? "");
                    await page.getByRole("button", { name: "Sign in as the operator" }).click();
                    await page.getByRole("link", { name: "API keys" }).click();
                    await page.getByLabel("Name").fill("docs-team");
                    await page.getByLabel("Domains").fill(domain);
                    await page.getByRole("button", { name: "Create" }).click();
                    await configure(await page.locator("#pulumi").textContent());

                    await stack.up();
                    const first = String(await stack.output("jobId"));
                    await stack.configure({ config: { version: "2" } });
                    await stack.up();
                    assert.notEqual(await stack.output("jobId"), first);

                    await page.goto(`${service.url}/dashboard/sites/${domain}`);
                    await page.locator(`td a[href$="${first}"]`).click();
                    await page.getByText("docs-team").waitFor();
                    await configure(await page.getByText("pulumi config set pin").textContent());
                    await stack.up();
                    assert.equal(await stack.output("jobId"), first);
                    const { body } = await request("GET", "/v1/static-export/jobs");
                    assert.equal((body["jobs"] as object[]).length, 2);
                }),
            );
        } finally {
            await stack.remove();
        }
    });
});
