/** The pictures of the guide "Dashboard": a service with example sites, as an operator sees it. */
import { type Browser } from "playwright-core";
import { type ExampleService, withExampleService } from "./example-service.js";
import { fingerprint, imagesFolder, textOf } from "./fingerprint.js";

const newKey = "dashboard-new-key.png";

/** The pages whose pictures are in the guide, by the name of the picture's file. */
const pictured: Readonly<Record<string, string>> = {
    "dashboard-sites.png": "sites",
    "dashboard-site.png": "site",
    "dashboard-job.png": "job",
    [newKey]: "keys",
};

export async function draw(browser: Browser): Promise<void> {
    await withExampleService(async ({ service, paths }) => {
        const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, colorScheme: "light" });
        await page.goto(service.createSignInLink() ?? "");
        await page.getByRole("button", { name: "Sign in as the operator" }).click();
        for (const [file, name] of Object.entries(pictured)) {
            await page.goto(`${service.url}/dashboard${paths[name]}`);
            if (file === newKey) {
                await page.getByLabel("Name").fill(`ci-${Math.random().toString(36).slice(2, 6)}`);
                await page.getByRole("button", { name: "Create" }).click();
            }
            await page.screenshot({ path: imagesFolder + file });
        }
        await page.close();
    });
}

/** Returns the fingerprint of what the code shows today for each picture, to a browser without scripts. */
export function fingerprints(): Promise<Record<string, string>> {
    return withExampleService(fingerprintsOf);
}

async function fingerprintsOf({ service, paths }: ExampleService): Promise<Record<string, string>> {
    const cookie = await signIn(service.createSignInLink() ?? "");
    const found: Record<string, string> = {};
    for (const [file, page] of Object.entries(pictured)) {
        const url = `${service.url}/dashboard${paths[page]}`;
        let html = await read(url, { headers: { cookie } });
        if (file === newKey) {
            const body = new URLSearchParams({ _csrf: tokenOf(html), name: "ci", scopes: "export" });
            html = await read(url, { method: "POST", headers: { cookie }, body });
        }
        const text = textOf(html).replace(/\blast on \S+/g, "last on this machine");
        found[file] = await fingerprint(text, "service/theme/dashboard.css");
    }
    return found;
}

async function read(url: string, request: RequestInit = {}): Promise<string> {
    const response = await fetch(url, request);
    const html = await response.text();
    if (!response.ok) {
        throw new Error(`${url} answered ${response.status}: ${textOf(html)}`);
    }
    return html;
}

/** Returns the token that a page's forms send. */
function tokenOf(html: string): string {
    return /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? "";
}

/** @returns the session's cookie */
async function signIn(link: string): Promise<string> {
    const { searchParams, href } = new URL(link);
    const body = new URLSearchParams({ _csrf: tokenOf(await read(href)), link: searchParams.get("link") ?? "" });
    const response = await fetch(new URL("/dashboard/sign-in/link", href), {
        method: "POST",
        redirect: "manual",
        body,
    });
    const cookies = response.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
    return cookies.join("; ");
}
