import { freePort } from "@pulumi-static-export/toolchain";
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { type Page } from "playwright-core";
import { useChromium, withReader } from "../../exporter/browser/chromium.js";
import { createFaultyService, type FaultyOptions, type FaultyService } from "../support/faulty-service.js";
import { adminApiKey, domain, type RunningService, withService } from "../support/running-service.js";
import { copyingExporter } from "../support/scripted-exporter.js";
import { page as dashboard } from "./support/viewer.js";

/** The forms that pages of other hosts send from an operator's browser. */
const forms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    [`/sites/${domain}/export`]: {},
    [`/sites/${domain}/update`]: {},
    "/agent-jobs": { project: "docs", prompt: "Publish my page." },
    "/keys": { name: "mine", scopes: "keys", days: "30" },
    "/jobs/se_1/cancel": {},
    "/keys/ak_1/rotate": {},
    "/sign-out": {},
    "/sign-in": { key: adminApiKey },
};

/** Serves pages of other hosts, as a site's author may: `?form=N` sends a form, and other pages link to the dashboard. */
async function withOtherPages(target: string, use: (port: number) => Promise<void>): Promise<void> {
    const server = createServer(({ url = "" }, response) => {
        const [path, fields] =
            Object.entries(forms)[Number(new URL(url, "http://other").searchParams.get("form"))] ?? [];
        const inputs = Object.entries({ _csrf: "tossed", ...fields }).map(
            ([name, value]) => `<input name="${name}" value="${value}">`,
        );
        // A cookie that a page sets for its domain also reaches the other hosts of the domain.
        const toss = `document.cookie = "static_export_csrf=tossed; domain=example.com; path=/dashboard/";`;
        const form = `<form method="post" action="${target}${path}">${inputs.join("")}</form>
            <script>${toss} document.forms[0].submit()</script>`;
        response.setHeader("content-type", "text/html");
        response.end(url.includes("form=") ? form : `<a href="${target}${url}">A link in a chat</a>`);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
        await use((server.address() as AddressInfo).port);
    } finally {
        server.closeAllConnections();
        server.close();
    }
}

describe("Pages of other hosts in the operator's browser", () => {
    const browser = useChromium(["--host-resolver-rules=MAP *.example.com 127.0.0.1"]);

    /** Serves the dashboard below a name that only the browser resolves. */
    async function withHost(
        host: string,
        use: (page: Page, sites: string, running: RunningService, other: number) => Promise<void>,
    ): Promise<void> {
        const port = await freePort();
        const address = `http://${host}:${port}${dashboard}`;
        const create = (options: FaultyOptions): FaultyService => {
            const service = createFaultyService({ ...options, publicUrl: `http://${host}:${port}` });
            const listen = service.listen.bind(service, { port });
            return Object.defineProperties(service, {
                listen: { value: listen },
                url: { value: `http://127.0.0.1:${port}` },
            });
        };
        const projects = { docs: { repository: "https://git.example.com/docs" } };
        await withService(
            { exporter: copyingExporter, projects },
            (running) =>
                withOtherPages(address, (other) =>
                    withReader(browser(), (page) => use(page, `${address}/sites`, running, other)),
                ),
            create,
        );
    }

    async function signInWith(page: Page, address: string): Promise<void> {
        await page.goto(address);
        await page.getByLabel("API key").fill(adminApiKey);
        await page.getByRole("button", { name: "Sign in" }).click();
        await page.waitForURL((url) => !url.pathname.endsWith("/sign-in"));
    }

    for (const [host, other, where] of [
        ["127.0.0.1", "127.0.0.1", "another port"],
        ["docs-admin.example.com", "docs.example.com", "another host of the same domain"],
        ["docs-admin.example.com", "localhost", "another site"],
    ] as const) {
        it(`do nothing with any button of the dashboard, on ${where}`, async () => {
            await withHost(host, async (page, sites, { request }, port) => {
                await signInWith(page, sites);
                for (const [index, path] of Object.keys(forms).entries()) {
                    await page.goto(`http://${other}:${port}/?form=${index}`);
                    // Pages of other sites send forms without the session's cookie, which the browser sends again when the
                    // answer leads to the sign-in page, so that the person sees the sites.
                    const refused = page.getByText("sent from another site, so nothing was done");
                    const isSignedIn = page.getByRole("heading", { name: "Sites", exact: true });
                    await refused.or(page.getByLabel("API key")).or(isSignedIn).first().waitFor();
                    await page.goto(sites);
                    await page.getByRole("link", { name: domain, exact: true }).waitFor();
                    const { body: keys } = await request("GET", "/v1/keys");
                    const { body: jobs } = await request("GET", "/v1/static-export/jobs");
                    assert.deepEqual([keys["keys"], jobs["jobs"]], [[], []], path);
                }
                await page.getByRole("link", { name: "Agent jobs" }).click();
                await page.getByRole("heading", { name: "Agent jobs" }).waitFor();
                assert.equal(await page.getByText("Publish my page.").count(), 0);
            });
        });
    }

    it("lead to the page that their link names, before and after the person signs in", async () => {
        await withHost("docs-admin.example.com", async (page, _sites, running, port) => {
            const jobId = await running.start();
            await running.reaches(jobId, "completed");
            const follow = async () => {
                await page.goto(`http://localhost:${port}/jobs/${jobId}`);
                await page.getByRole("link").click();
            };
            await follow();
            await page.getByLabel("API key").fill(adminApiKey);
            await page.getByRole("button", { name: "Sign in" }).click();
            await page.waitForURL((url) => url.pathname === `${dashboard}/jobs/${jobId}`);
            await follow();
            await page.waitForURL((url) => url.pathname === `${dashboard}/jobs/${jobId}`);
        });
    });
});
