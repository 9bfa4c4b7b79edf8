import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Page } from "playwright-core";
import { Command } from "../../cli/support/command.js";
import { useChromium, withReader } from "../../exporter/browser/chromium.js";
import { listFiles, writeFiles, type Files } from "../../exporter/support/site-fixture.js";
import { findProgram } from "../support/fetch-pod.js";
import { LiveNginx } from "../support/live-nginx.js";
import { exported, render } from "../support/render-chart.js";
import { EdgeFixture } from "./support/edge-fixture.js";

const run = promisify(execFile);
const host = "localhost";
const pages: Files = {
    "docs/index.md": "# Home\n\n[Start](guide/start.md)\n",
    "docs/guide/start.md": "# Start\n\n## Install\n\nA quokka waits.\n",
    "docs/guide/more.md": "# More\n\nText\n",
};

interface Builder {
    readonly name: string;
    readonly files: Files;
    readonly install: readonly [program: string, ...args: string[]];
    readonly build: string;
    readonly outputFolder: string;
    /** Finds a word with the builder's own search, and opens the first result. */
    readonly search: (page: Page) => Promise<void>;
}

const builders: readonly Builder[] = [
    {
        name: "VitePress",
        files: {
            "package.json": JSON.stringify({ type: "module", devDependencies: { vitepress: "1.6.4" } }),
            "docs/.vitepress/config.js":
                'export default { base: "/docs/", themeConfig: { search: { provider: "local" } } };',
        },
        install: ["npm", "install", "--no-audit", "--no-fund"],
        build: "npx vitepress build docs",
        outputFolder: "docs/.vitepress/dist",
        search: async (page) => {
            await page.locator("#local-search button").click();
            await page.locator(".VPLocalSearchBox input").fill("quokka");
            await page.locator(".VPLocalSearchBox a.result").first().click();
        },
    },
    {
        name: "MkDocs Material",
        files: {
            "mkdocs.yml":
                "site_name: Site\nsite_url: https://localhost/docs/\n" +
                "theme:\n  name: material\n  font: false\nplugins:\n  - search\n",
        },
        install: ["sh", "-c", "python3 -m venv .venv && .venv/bin/pip install --quiet mkdocs-material==9.6.22"],
        build: ".venv/bin/mkdocs build",
        outputFolder: "site",
        search: async (page) => {
            await page.locator("[data-md-component=search-query]").click();
            await page.locator("[data-md-component=search-query]").pressSequentially("quokka");
            await page.locator("a.md-search-result__link").first().click();
        },
    },
];

describe("The site of a real builder, below a base path", function () {
    this.timeout(600_000);
    const browser = useChromium();
    const edge = EdgeFixture.use();
    let folder: string;
    before(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-builder-"));
    });
    after(() => rm(folder, { recursive: true, force: true }));

    /** Builds a site, and returns the folder of its bundle. */
    async function build({ name, build: command, outputFolder }: Builder): Promise<string> {
        const own = ["--command", command, "--output-folder", outputFolder, "--base-path", "docs"];
        const args = ["build", name, ...own, "--output", join(folder, "out"), "--domain", host, "--strict"];
        const { exitCode, stderr } = await new Command(args, { cwd: folder }).exited;
        assert.equal(exitCode, 0, stderr);
        return join(folder, "out");
    }

    /** Reads the site in a browser: pages, links, and the builder's own search. */
    async function read(origin: string, search: Builder["search"]): Promise<void> {
        await withReader(browser(), async (page) => {
            const problems: string[] = [];
            page.on("response", (response) => response.status() >= 400 && problems.push(response.url()));
            page.on("pageerror", (error) => problems.push(error.message));
            page.on("console", (message) => /policy/i.test(message.text()) && problems.push(message.text()));
            await page.goto(`${origin}/docs/`, { waitUntil: "networkidle" });
            await page.locator(".vp-doc a, article a", { hasText: "Start" }).first().click();
            await page.waitForURL(/\/docs\/guide\/start(?:\.html|\/)?$/);
            await page.goto(`${origin}/docs/guide/more`, { waitUntil: "networkidle" });
            await search(page);
            await page.waitForURL(/\/docs\/guide\/start(?:\.html|\/)?(?:\?h=quokka)?(?:#install)?$/);
            await page.locator("main, article").getByText("A quokka waits").first().waitFor();
            assert.deepEqual(problems, []);
        });
    }

    for (const builder of builders) {
        it(`${builder.name} works in a bucket behind documentation-sites, and only changed files are sent`, async () => {
            const site = join(folder, builder.name);
            await writeFiles(site, { ...pages, ...builder.files });
            const [program, ...args] = builder.install;
            await run(program, args, { cwd: site });
            const publish = async (place: string) =>
                edge().publish(host, {}, { openSite: () => Promise.resolve({ folder: place }) });
            const first = join(folder, `${builder.name} first`);
            await rename(await build(builder), first);
            await publish(first);
            const files = await listFiles(first);
            await read(`http://${host}:${edge().port}`, builder.search);

            await writeFiles(site, { "docs/guide/more.md": "# More\n\nChanged text\n" });
            const second = await build(builder);
            const changed: string[] = [];
            for (const file of await listFiles(second)) {
                const [before, after] = await Promise.all(
                    [first, second].map((place) => readFile(join(place, file)).catch(() => undefined)),
                );
                if (after === undefined || before?.equals(after) !== true) {
                    changed.push(file);
                }
            }
            const published = await publish(second);
            assert.ok(changed.length < files.length);
            assert.equal(published.sentFiles, changed.length);
        });

        it(`${builder.name} works behind the chart documentation-site`, async function () {
            const nginx = await findProgram("nginx");
            if (nginx === undefined) {
                this.skip();
            }
            const configMap = (await render(exported)).get("ConfigMap/docs-documentation-site");
            assert.ok(configMap);
            const place = await mkdtemp(join(folder, "pod-"));
            await mkdir(place, { recursive: true });
            await writeFiles(place, { "healthz.json": "{}" });
            await rename(await build(builder), join(place, "public"));
            const server = await LiveNginx.start(nginx, configMap, place);
            try {
                await read(server.url("", host), builder.search);
            } finally {
                await server.stop();
            }
        });
    }
});
