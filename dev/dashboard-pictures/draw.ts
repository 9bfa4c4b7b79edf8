/**
 * Draws the pictures of the guide "Dashboard": a service with example sites, as an operator sees it. Run
 * `npm run dashboard-pictures` when the pages change. The script needs chromium (Debian: apt-get install chromium).
 *
 * With a folder as argument, draws every page there instead, for reviews: wide, narrow and dark.
 */
import { createService } from "@pulumi-static-export/service";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright-core";

const images = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const review = process.argv[2];
const inGuide: ReadonlySet<string> = new Set(["sites", "site", "job"]);
const folder = mkdtempSync(join(tmpdir(), "dashboard-"));
const domains = ["docs.example.com", "api.example.com", "handbook.example.com", "support.example.com"];
for (const domain of domains) {
    mkdirSync(join(folder, domain));
    writeFileSync(join(folder, domain, "index.md"), `# ${domain}\n\nSee [the guide](./missing.md).\n`);
    writeFileSync(join(folder, domain, "start.md"), "# Start\n\nInstall the command.\n");
}
const service = createService({
    dataDir: join(folder, "data"),
    sites: Object.fromEntries(domains.map((domain) => [domain, join(folder, domain)])),
    projects: { docs: { repository: "https://git.example.com/acme/docs", ref: "main" } },
    adminApiKey: "admin_for-pictures",
    version: "0.2.0",
    faults: ["export:fail=The site has 3 pages whose front matter cannot be read.,after=3,times=1"],
});

async function send(path: string, json: object): Promise<Record<string, string>> {
    const headers = { authorization: "Bearer admin_for-pictures", "content-type": "application/json" };
    const response = await fetch(service.url + path, { method: "POST", headers, body: JSON.stringify(json) });
    return (await response.json()) as Record<string, string>;
}

async function drawAll(page: Page, jobId: string, agentJob: string, name: (title: string) => string): Promise<void> {
    const paths = {
        sites: "/sites",
        site: `/sites/${domains[0]}`,
        jobs: "/jobs",
        job: `/jobs/${jobId}`,
        updates: "/updates",
        "agent-jobs": "/agent-jobs",
        "agent-job": `/agent-jobs/docs/${agentJob}`,
        keys: "/keys",
        health: "/health",
    };
    for (const [title, path] of Object.entries(paths)) {
        if (review === undefined && !inGuide.has(title)) {
            continue;
        }
        await page.goto(`${service.url}/dashboard${path}`);
        await page.screenshot({ path: name(title), fullPage: review !== undefined });
    }
    await page.goto(`${service.url}/dashboard/keys`);
    await page.getByLabel("Name").fill(`ci-${Math.random().toString(36).slice(2, 6)}`);
    await page.getByRole("button", { name: "Create" }).click();
    await page.screenshot({ path: name("new-key"), fullPage: review !== undefined });
}

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
    await service.listen();
    let jobId = "";
    for (const domain of [domains[0], domains[1], domains[2], domains[3]]) {
        ({ jobId = "" } = await send("/v1/static-export/jobs", { domain, version: "2026-11-25" }));
        for (let status = "queued"; status !== "completed" && status !== "failed"; await delay(100)) {
            const headers = { authorization: "Bearer admin_for-pictures" };
            const response = await fetch(`${service.url}/v1/static-export/jobs/${jobId}`, { headers });
            ({ status } = (await response.json()) as { status: string });
        }
    }
    await send("/v1/keys", { name: "docs-team", scopes: ["export", "read"], domains: ["docs.example.com"] });
    await send(`/v1/project/update/${domains[0]}`, {});
    const { id = "" } = await send("/v2/agent/docs/job", { prompt: "Add a page about the dashboard." });
    service.setFaults(["export:delay=1h"]);
    await send("/v1/static-export/jobs", { domain: domains[0] });
    for (const [look, viewport, colorScheme] of [
        ["wide", { width: 1280, height: 760 }, "light"],
        ["narrow", { width: 390, height: 844 }, "light"],
        ["dark", { width: 1280, height: 760 }, "dark"],
    ] as const) {
        if (review === undefined && look !== "wide") {
            continue;
        }
        const context = await browser.newContext({ viewport, colorScheme });
        const page = await context.newPage();
        await page.goto(service.createSignInLink() ?? "");
        await drawAll(page, jobId, id, (title) =>
            review === undefined ? join(images, `dashboard-${title}.png`) : join(review, `${look}-${title}.png`),
        );
        await context.close();
    }
} finally {
    await browser.close();
    await service.close();
    rmSync(folder, { recursive: true });
}
