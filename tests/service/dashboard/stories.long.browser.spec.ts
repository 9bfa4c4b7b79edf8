import assert from "node:assert/strict";
import { type Page } from "playwright-core";
import { useChromium, withReader } from "../../exporter/browser/chromium.js";
import { domain, type RunningService, withFolder, withService, withServiceOver } from "../support/running-service.js";
import { waitUntil } from "../../wait-until.js";
import { operatorsPage } from "./support/operators-page.js";
import { withScriptedProvider } from "./support/scripted-provider.js";
import { ScriptedAgents } from "../support/scripted-agents.js";
import { copyingExporter, ScriptedExporter } from "../support/scripted-exporter.js";

describe("The dashboard in a browser", () => {
    const browser = useChromium();
    const withOperator = operatorsPage(browser);

    it("hands out a key without scripts", async () => {
        await withOperator(
            async (page, { request }) => {
                await page.getByRole("link", { name: "API keys" }).click();
                await page.getByLabel("Name").fill("ci");
                await page.getByLabel("Domains").fill(domain);
                await page.getByRole("button", { name: "Create" }).click();
                const key = (await page.locator("#key").textContent()) ?? "";
                const { body } = await request("GET", "/v1/whoami", { key });
                assert.deepEqual([body["name"], body["domains"]], ["ci", [domain]]);
            },
            { javaScriptEnabled: false },
        );
    });

    it("starts an export, shows its progress as it happens, and cancels it", async () => {
        await withOperator(async (page, { request }, exporter) => {
            await page.getByRole("link", { name: domain }).click();
            await page.getByRole("button", { name: "Export", exact: true }).click();
            const run = await exporter.nth(1);
            run.control.onProgress?.(40, 12);
            await page.getByText("40 %, 12 pages").waitFor();
            await page.getByRole("link", { name: "Cancel" }).click();
            await page.getByRole("button", { name: "Cancel the export" }).click();
            await page.getByText("Cancelled by a client with the key of the service.").first().waitFor();
            const { body } = await request("GET", "/v1/static-export/jobs");
            assert.equal((body["jobs"] as { status: string }[])[0]?.status, "failed");
        });
    });

    it("shows how long the steps of a running export take, as time passes", async () => {
        let now = Date.now();
        const exporter = new ScriptedExporter();
        await withService({ exporter, clock: () => now }, ({ service, start }) =>
            withReader(browser(), async (page) => {
                await page.goto(service.createSignInLink() ?? "");
                await page.getByRole("button", { name: "Sign in as the operator" }).click();
                await page.getByRole("heading", { name: "Sites" }).waitFor();
                const jobId = await start();
                await exporter.nth(1);
                await page.goto(`${service.url}/dashboard/jobs/${jobId}`);
                await page.locator(".bars", { hasText: "export" }).waitFor();
                now += 65_000;
                await page.locator(".bars", { hasText: /export\s*1 min 5 s/ }).waitFor();
            }),
        );
    });

    it("leaves what a person types, selects and focuses when a job of somebody else starts", async () => {
        await withOperator(async (page, running, exporter) => {
            const first = await running.start();
            (await exporter.nth(1)).fail(new Error("The page guides/start.md cannot be read."));
            await waitUntil("the export has failed", async () => {
                const { body } = await running.request("GET", `/v1/static-export/jobs/${first}`);
                return body["status"] === "failed" ? true : undefined;
            });
            await page.goto(`${running.service.url}/dashboard/jobs`);
            const link = page.locator(`main a[href$="${first}"]`);
            const startAndSee = async () => {
                const jobId = await running.start({ version: `v${Date.now()}` });
                await page.locator(`main a[href$="${jobId}"]`).waitFor();
            };
            await page.getByLabel("Status").selectOption("failed");
            await page.getByLabel("Domain, job, commit or key").fill("half a fil");
            await startAndSee();
            assert.equal(await page.evaluate("document.activeElement.value"), "half a fil");
            assert.equal(await page.getByLabel("Status").inputValue(), "failed");
            await link.focus();
            await page.evaluate("getSelection().selectAllChildren(document.querySelector('main h1'))");
            await startAndSee();
            assert.match(String(await page.evaluate("document.activeElement.href")), new RegExp(`${first}$`));
            assert.equal(await page.evaluate("getSelection().toString()"), "Exports");
            assert.equal(await page.getByLabel("Status").inputValue(), "failed");
        });
    });

    it("shows a prompt in the lines in which it was typed", async () => {
        await withOperator(async (page) => {
            await page.getByRole("link", { name: "Agent jobs" }).click();
            await page.getByLabel("Prompt").fill("Fix the typos:\n- in the guide\n- in the API");
            await page.getByRole("button", { name: "Start" }).click();
            const shown = page.locator(".card", { hasText: "in the guide" });
            await shown.waitFor();
            assert.match(await shown.innerText(), /Fix the typos:\n- in the guide\n- in the API/);
        });
    });

    async function openTabs(page: Page, running: RunningService, count: number): Promise<Page[]> {
        const tabs = Array.from({ length: count }, () => page.context().newPage());
        return Promise.all(
            tabs.map(async (opened) => {
                const tab = await opened;
                await tab.goto(`${running.service.url}/dashboard/sites`);
                return tab;
            }),
        );
    }

    it("shows progress in ten tabs over one connection, which another tab takes over", async () => {
        await withOperator(async (page, running, exporter) => {
            await page.goto("about:blank");
            const connections: Page[] = [];
            page.context().on("request", (request) => {
                if (request.url().endsWith("/events")) {
                    connections.push(request.frame().page());
                }
            });
            const tabs = await openTabs(page, running, 10);
            await running.start();
            const run = await exporter.nth(1);
            run.control.onProgress?.(40, 12);
            await Promise.all(tabs.map((tab) => tab.getByText("40 %, 12 pages").waitFor()));
            assert.equal(connections.length, 1);
            await connections[0]?.close();
            run.control.onProgress?.(60, 18);
            const left = tabs.filter((tab) => tab !== connections[0]);
            await Promise.all(left.map((tab) => tab.getByText("60 %, 18 pages").waitFor()));
            assert.equal(connections.length, 2);
        });
    });

    it("has no connection in a hidden tab, which is up to date when it is shown", async () => {
        await withOperator(async (page, running, exporter) => {
            await page.goto(`${running.service.url}/dashboard/sites`);
            const show = (state: string) =>
                page.evaluate(`Object.defineProperty(document, "hidden", { value: ${state === "hidden"}, configurable: true });
                    document.dispatchEvent(new Event("visibilitychange"))`);
            const held = "navigator.locks.query().then(({ held }) => held.length)";
            await waitUntil("the page is connected", async () => (await page.evaluate(held)) === 1 || undefined);
            await show("hidden");
            await waitUntil("the page has left", async () => (await page.evaluate(held)) === 0 || undefined);
            await running.start();
            (await exporter.nth(1)).fail(new Error("The page guides/start.md cannot be read."));
            await waitUntil("the site has failed", async () => {
                const { body } = await running.request("GET", `/v1/sites/${domain}`);
                return body["state"] === "failed" ? true : undefined;
            });
            assert.equal(await page.getByText("cannot be read").count(), 0);
            await show("visible");
            await page.getByText("cannot be read").waitFor();
        });
    });

    for (const [locale, timezoneId, shown] of [
        ["en-US", "America/New_York", /\d, 2026, 8:30:00\sPM/],
        ["de-DE", "Europe/Berlin", /\.2026, 02:30:00/],
    ] as const) {
        it(`shows times in the reader's zone and as usual in ${locale}`, async () => {
            const options = { clock: () => Date.UTC(2026, 10, 26, 1, 30) };
            await withService({ exporter: copyingExporter, ...options }, ({ service, start }) =>
                withReader(
                    browser(),
                    async (page) => {
                        const jobId = await start();
                        await page.goto(service.createSignInLink() ?? "");
                        await page.getByRole("button", { name: "Sign in as the operator" }).click();
                        await page.goto(`${service.url}/dashboard/jobs/${jobId}`);
                        await page.locator("time", { hasText: shown }).first().waitFor();
                    },
                    { locale, timezoneId },
                ),
            );
        });
    }

    it("follows an agent's log, as it is written, to the pull request", async () => {
        await withFolder(async (folder) => {
            const agents = await ScriptedAgents.create(folder);
            const options = { agent: agents.options, projects: { docs: { repository: agents.repository } } };
            await withServiceOver(folder, options, ({ service }) =>
                withReader(browser(), async (page) => {
                    await page.goto(service.createSignInLink() ?? "");
                    await page.getByRole("button", { name: "Sign in as the operator" }).click();
                    await page.getByRole("link", { name: "Agent jobs" }).click();
                    await page.getByLabel("Prompt").fill("Fix the typos.");
                    await page.getByRole("button", { name: "Start" }).click();
                    await page.locator("pre[data-log]", { hasText: "The agent begins." }).waitFor();
                    const id = page.url().split("/").at(-1) ?? "";
                    await agents.end(id, "changed");
                    const link = page.getByRole("link", { name: agents.linkOf(id) });
                    await link.waitFor();
                    assert.equal(await link.getAttribute("href"), agents.linkOf(id));
                    await page.locator("pre", { hasText: "Pushed " }).waitFor();
                }),
            );
        });
    });

    it("signs people in with an identity provider on another site, also without scripts", async () => {
        await withScriptedProvider(async ({ issuer }) => {
            const groups = { team: { scopes: ["read"] } } as const;
            // The provider is on another site (localhost), so that the browser sends no strict cookie with the way back.
            const oidc = { issuer, clientId: "docs", groups };
            await withService({ oidc }, ({ service }) =>
                withReader(
                    browser(),
                    async (page) => {
                        await page.goto(`${service.url}/dashboard`);
                        await page.getByRole("link", { name: "Sign in with your organization" }).click();
                        await page.getByRole("link", { name: domain }).waitFor();
                        assert.equal(page.url(), `${service.url}/dashboard/sites`);
                    },
                    { javaScriptEnabled: false, viewport: { width: 1280, height: 800 } },
                ),
            );
        });
    });

    it("leads from a failed site to the reason", async () => {
        await withOperator(async (page, { start, service, request }, exporter) => {
            const jobId = await start();
            (await exporter.nth(1)).fail(new Error("The page guides/start.md cannot be read."));
            // The list of sites is as of the last second.
            await waitUntil("the site has failed", async () => {
                const { body } = await request("GET", `/v1/sites/${domain}`);
                return body["state"] === "failed" ? true : undefined;
            });
            await page.goto(`${service.url}/dashboard/sites`);
            await page.getByText("cannot be read").waitFor();
            await page.getByRole("link", { name: domain }).click();
            await page.locator(`td a[href$="${jobId}"]`).click();
            assert.match((await page.getByRole("alert").textContent()) ?? "", /guides\/start\.md cannot be read/);
        });
    });
});
