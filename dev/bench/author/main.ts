/**
 * Measures how soon a browser shows a page, and then a change to that page. Compares `static-export dev` with the
 * servers of other builders, on the same pages and in one run. See bench/README.md for the figures.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { freePort } from "@pulumi-static-export/toolchain";
import { median } from "../median.js";
import { withProjectFolder } from "../site/builders/project-folder.js";
import { Corpus } from "../site/corpus.js";
import { installPeer } from "../site/peers.js";

const help = `How soon an author sees a page and a change in a browser. Linux, with /usr/bin/chromium.

    npm run bench author -- [options]

    --pages <number>   how many pages the site has (default 2000)
    --peers <names>    vitepress (default), starlight, both with a comma between them, or none
    --runs <number>    how many rounds, each with everybody once (default 3)
    --help             this text
`;

/** The number of changes to one page in each round. */
const changes = 5;
const startTimeoutMs = 300_000;

interface Server {
    readonly name: string;
    readonly place: { readonly prefix: string; readonly template?: string; readonly pages: string };
    /** The Node.js arguments that start a server for the folder. */
    readonly args: (folder: string, pagesDir: string, port: number) => string[];
    /** Returns a page's address for its path without an extension. */
    readonly addressOf: (route: string) => string;
}

interface Times {
    /** The time until the server answers with a page. */
    readonly answeredMs: number[];
    readonly shownMs: number[];
    readonly changeMs: number[];
}

const command = fileURLToPath(new URL("../../../cli/bin/static-export.js", import.meta.url));

const ours: Server = {
    name: "static-export dev",
    place: { prefix: join(tmpdir(), "bench-author-"), pages: "pages" },
    args: (_, pagesDir, port) => [command, "dev", pagesDir, "--port", String(port)],
    addressOf: (route) => `/${route}.html`,
};

function peerNamed(text: string): "vitepress" | "starlight" {
    if (text !== "vitepress" && text !== "starlight") {
        throw new Error(`--peers knows vitepress, starlight and none, got ${text}.`);
    }
    return text;
}

async function peerServer(name: "vitepress" | "starlight"): Promise<Server> {
    const {
        installed,
        template,
        pagesDir,
        version,
        command: [script],
    } = await installPeer(name);
    return {
        name: version,
        place: { prefix: join(installed, "author-"), template, pages: pagesDir },
        args: (_, __, port) => [join(installed, "node_modules", script), "dev", "--port", String(port)],
        addressOf: (route) => (name === "vitepress" ? `/${route}.html` : `/${route}/`),
    };
}

/** @returns the times of one round */
async function measure(
    server: Server,
    corpus: Corpus,
    browser: Browser,
): Promise<{ answeredMs: number; shownMs: number; changeMs: number }> {
    return withProjectFolder(server.place, corpus, async (folder, pagesDir) => {
        const port = await freePort();
        const route = corpus.routes.at(-1) as string;
        const startedMs = performance.now();
        const child = spawn(process.execPath, server.args(folder, pagesDir, port), {
            cwd: folder,
            env: { ...process.env, ASTRO_TELEMETRY_DISABLED: "1", NO_COLOR: "1" },
            stdio: "ignore",
            detached: true,
        });
        const page = await browser.newPage();
        try {
            const address = await answering(child, port, server.addressOf(route));
            const answeredMs = performance.now() - startedMs;
            await page.goto(address, { waitUntil: "commit" });
            await page.getByText("Section 0 of page").first().waitFor({ timeout: startTimeoutMs });
            const shownMs = performance.now() - startedMs;
            const times = [];
            for (let change = 1; change <= changes; change += 1) {
                await delay(1500);
                const sentence = `Sentence ${change} of the author.`;
                const changedMs = performance.now();
                await appendFile(join(pagesDir, `${route}.md`), `\n${sentence}\n`);
                await page.getByText(sentence).waitFor({ timeout: startTimeoutMs });
                times.push(performance.now() - changedMs);
            }
            return { answeredMs, shownMs, changeMs: median(times) };
        } finally {
            await page.close();
            process.kill(-(child.pid as number), "SIGKILL");
            await once(child, "close");
        }
    });
}

/** Waits until the server answers. @returns the page's address */
async function answering(child: ChildProcess, port: number, path: string): Promise<string> {
    const hosts = ["127.0.0.1", "localhost"];
    const untilMs = performance.now() + startTimeoutMs;
    while (performance.now() < untilMs && child.exitCode === null) {
        for (const host of hosts) {
            const address = `http://${host}:${port}${path}`;
            if ((await fetch(address).catch(() => undefined))?.ok === true) {
                return address;
            }
        }
        await delay(10);
    }
    throw new Error(`The server did not answer at ${path}.`);
}

const { values } = parseArgs({
    options: {
        pages: { type: "string", default: "2000" },
        peers: { type: "string", default: "vitepress" },
        runs: { type: "string", default: "3" },
        help: { type: "boolean", default: false },
    },
});
if (values.help) {
    console.log(help);
} else {
    const names = values.peers === "none" ? [] : values.peers.split(",").map(peerNamed);
    const servers = [ours, ...(await Promise.all(names.map(peerServer)))];
    const corpus = new Corpus(Number(values.pages));
    const times = new Map<Server, Times>(
        servers.map((server) => [server, { answeredMs: [], shownMs: [], changeMs: [] }]),
    );
    const browser = await chromium.launch({
        executablePath: "/usr/bin/chromium",
        args: ["--no-sandbox", "--disable-gpu"],
    });
    try {
        for (let run = 1; run <= Number(values.runs); run += 1) {
            for (const server of servers) {
                const { answeredMs, shownMs, changeMs } = await measure(server, corpus, browser);
                times.get(server)?.answeredMs.push(answeredMs);
                times.get(server)?.shownMs.push(shownMs);
                times.get(server)?.changeMs.push(changeMs);
            }
            console.log(`round ${run} of ${values.runs} is done, load average ${loadavg()[0]?.toFixed(1)}`);
        }
    } finally {
        await browser.close();
    }
    console.log(`\n${corpus.pageCount} pages: milliseconds until an answer, the first page and a change are there`);
    for (const [{ name }, { answeredMs, shownMs, changeMs }] of times) {
        const columns = [answeredMs, shownMs, changeMs].map((each) => median(each).toFixed(0).padStart(8));
        console.log(`${name.padEnd(24)}${columns.join("")}`);
    }
}
