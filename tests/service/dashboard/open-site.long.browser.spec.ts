import assert from "node:assert/strict";
import { axeViolations, useChromium, withReader } from "../../exporter/browser/chromium.js";
import { createTarGz } from "../../sdk/support/archives.js";
import { domain, type RunningService, withService } from "../support/running-service.js";
import { ScriptedExporter } from "../support/scripted-exporter.js";
import { createViewer, makeKey, page as dashboard, signIn } from "./support/viewer.js";

/** A page whose script tries to reach the dashboard, and shows what it got. */
const hostile = `<!doctype html><html lang="en"><title>Site</title>
<link rel="stylesheet" href="style.css"><main><h1>Hello</h1><a href="next.html">Next</a>
<form action="/dashboard/sign-out" method="post"><button>Send</button></form><pre id="found"></pre></main>
<script>
(async () => {
    const attempt = async (name, run) => {
        let result;
        try { result = await run(); } catch (error) { result = error.name; }
        document.querySelector("#found").append(name + ": " + result + "\\n");
    };
    await attempt("cookie", () => document.cookie);
    await attempt("storage", () => localStorage.length);
    await attempt("parent", () => parent.document.title);
    await attempt("page", async () => (await fetch("/dashboard/keys")).url);
    await attempt("api", async () => (await fetch("/v1/keys", { credentials: "include" })).status);
    await attempt("window", () => String(window.open("/dashboard/keys")));
    await attempt("elsewhere", async () => (await fetch("https://evil.invalid/")).status);
    await attempt("file", async () => (await (await fetch("data.json")).text()));
    document.querySelector("#found").append("done");
})();
</script></html>`;

const files = {
    "index.html": hostile,
    "next.html": "<!doctype html><title>Next</title><h1>The next page</h1>",
    "style.css": "h1 { color: rgb(1, 2, 3); }",
    "data.json": "own",
    "access.json": "{}",
};

async function withExport(use: (running: RunningService, jobId: string) => Promise<void>, options = {}): Promise<void> {
    const exporter = new ScriptedExporter();
    await withService({ exporter, ...options }, async (running) => {
        const jobId = await running.start();
        const entries = Object.entries(files).map(([name, content]) => ({ name, content }));
        await (await exporter.nth(1)).complete(await createTarGz(entries));
        await running.reaches(jobId, "completed");
        await use(running, jobId);
    });
}

describe("An exported site in the dashboard", () => {
    const browser = useChromium();

    it("is shown with its styles and links, and its scripts reach nothing of the dashboard", async () => {
        await withExport((running, jobId) =>
            withReader(
                browser(),
                async (page) => {
                    await page.goto(running.service.createSignInLink() ?? "");
                    await page.getByRole("button", { name: "Sign in as the operator" }).click();
                    await page.goto(`${running.service.url}/dashboard/sites/${domain}`);
                    await page.getByRole("link", { name: "Open the site" }).click();
                    const site = page.frameLocator("iframe");
                    await site.getByText("done").waitFor();
                    const color = "getComputedStyle(document.querySelector('h1')).color";
                    const frame = page.frames().find((each) => each.url().includes("/files/"));
                    assert.equal(await frame?.evaluate(color), "rgb(1, 2, 3)");
                    assert.deepEqual((await site.locator("#found").textContent())?.split("\n"), [
                        "cookie: SecurityError",
                        "storage: SecurityError",
                        "parent: SecurityError",
                        "page: TypeError",
                        "api: TypeError",
                        "window: null",
                        "elsewhere: TypeError",
                        "file: own",
                        "done",
                    ]);
                    await site.getByRole("button", { name: "Send" }).click();
                    await site.getByRole("link", { name: "Next" }).click();
                    await site.getByText("The next page").waitFor();
                    await page.goto(`${running.service.url}/dashboard/jobs/${jobId}`);
                    await page.getByRole("button", { name: "Sign out" }).waitFor();
                    assert.deepEqual(await axeViolations(page), []);
                },
                { viewport: { width: 1280, height: 800 } },
            ),
        );
    });

    it("is isolated also if its address is opened directly", async () => {
        await withExport((running, jobId) =>
            withReader(
                browser(),
                async (page) => {
                    await page.goto(running.service.createSignInLink() ?? "");
                    await page.getByRole("button", { name: "Sign in as the operator" }).click();
                    await page.goto(`${running.service.url}/dashboard/jobs/${jobId}/open`);
                    const address = (await page.locator("iframe").getAttribute("src")) ?? "";
                    await page.goto(running.service.url + address);
                    await page.getByText("done").waitFor();
                    const found = await page.locator("#found").textContent();
                    assert.match(found ?? "", /^cookie: SecurityError\nstorage: SecurityError\n/);
                    assert.match(found ?? "", /\npage: TypeError\napi: TypeError\n/);
                },
                { viewport: { width: 1280, height: 800 } },
            ),
        );
    });

    it("has an address that only people who may read the site get, for 30 minutes, and that no log contains", async () => {
        let now = Date.now();
        await withExport(
            async (running, jobId) => {
                const { secret } = await makeKey(running, { name: "o", scopes: ["read"], domains: ["o.example.com"] });
                const open = `${dashboard}/jobs/${jobId}/open`;
                assert.equal((await createViewer(running).get(open)).status, 303);
                assert.equal((await (await signIn(running, secret)).get(open)).status, 404);
                const own = await makeKey(running, { name: "t", scopes: ["read"], domains: [domain] });
                const { text } = await (await signIn(running, own.secret)).get(open);
                const [, address = ""] = /<iframe[^>]* src="([^"]+)"/.exec(text) ?? [];
                const reader = createViewer(running);
                const statusOf = async (path: string) => (await reader.get(path)).status;
                assert.equal(await statusOf(address), 200);
                assert.equal(await statusOf(address.replace("index.html", "next")), 302);
                assert.equal(await statusOf(address.replace("index.html", "access.json")), 404);
                assert.equal(await statusOf(address.replace("index.html", "..%2f..%2fadmin-api-key")), 404);
                assert.equal(await statusOf(address.replace(/files\/./, "files/x")), 403);
                assert.ok(running.requests.some(({ path }) => path === "/dashboard/files/:token/*"));
                assert.ok(!JSON.stringify(running.requests).includes(address.split("/")[3] ?? ""));
                now += 30 * 60_000;
                assert.equal(await statusOf(address), 403);
            },
            { clock: () => now },
        );
    });
});
