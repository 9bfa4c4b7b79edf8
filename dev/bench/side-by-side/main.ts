/**
 * Builds the same six pages with three builders, takes pictures of them for docs/side-by-side.md, and measures what a
 * reader gets. The script needs Linux and chromium (Debian: apt-get install chromium).
 */
import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { chromium, type Browser } from "playwright-core";
import { type Builder } from "../site/builders/builder.js";
import { ourBuilder } from "../site/builders/our-builder.js";
import { peerBuilder } from "../site/peers.js";
import { observe, search, type SearchBox, withPage } from "./observe.js";
import { homePage, longPage, writePages } from "./pages.js";
import { StaticServer } from "./static-server.js";

const pictures = fileURLToPath(new URL("../../../docs/images/side-by-side/", import.meta.url));

const boxes: Record<string, SearchBox> = {
    ours: { button: ".search-open", input: "dialog[open] input", result: "dialog[open] [role=option]" },
    starlight: {
        button: "button[data-open-modal]",
        input: ".pagefind-ui__search-input",
        result: ".pagefind-ui__result",
    },
    vitepress: {
        button: ".VPNavBarSearch button",
        input: ".VPLocalSearchBox input",
        result: ".VPLocalSearchBox .result",
    },
};

const builders: Record<string, Builder> = {
    ours: ourBuilder(availableParallelism()),
    starlight: await peerBuilder("starlight"),
    vitepress: await peerBuilder("vitepress"),
};

await mkdir(pictures, { recursive: true });
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
    for (const [kind, builder] of Object.entries(builders)) {
        const box = boxes[kind] as SearchBox;
        await builder.withProject({ write: (folder) => writePages(folder, kind) }, async (project) => {
            const { outDir } = await project.build();
            const server = await StaticServer.start(outDir);
            try {
                await photograph(browser, kind, server, box);
                console.log(builder.name, JSON.stringify(await observe(browser, server, outDir, box), undefined, 2));
            } finally {
                server.stop();
            }
        });
    }
} finally {
    await browser.close();
}

async function photograph(browser: Browser, kind: string, server: StaticServer, box: SearchBox): Promise<void> {
    const desktop = { width: 1280, height: 800 };
    const phone = { width: 320, height: 640 };
    for (const [name, path, viewport] of [
        ["home", homePage, desktop],
        ["page", longPage, desktop],
        ["phone", longPage, phone],
        ["search", homePage, desktop],
    ] as const) {
        await withPage(browser, { viewport, colorScheme: "light" }, async (page) => {
            await page.goto(server.url(path), { waitUntil: "networkidle" });
            if (name === "search") {
                await search(page, box, "troubleshooting");
                await page.locator(box.result).first().waitFor();
            }
            const session = await page.context().newCDPSession(page);
            const scale = name === "phone" ? 1 : 0.75;
            const clip = { x: 0, y: 0, ...viewport, scale };
            const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 85, clip });
            await writeFile(`${pictures}${kind}-${name}.webp`, Buffer.from(data, "base64"));
        });
    }
}
