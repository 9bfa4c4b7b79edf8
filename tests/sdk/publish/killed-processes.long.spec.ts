import assert from "node:assert/strict";
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { waitUntil } from "../../wait-until.js";
import { type Site, SiteFixture } from "./support/site-fixture.js";

const publisher = fileURLToPath(new URL("support/publish-process.mjs", import.meta.url));
const command = fileURLToPath(new URL("../../../cli/bin/static-export.js", import.meta.url));
const releases = 25;
const leaseMs = 200;
/** The publishing processes also need CPU time. */
const crawlPauseMs = 3;
const assetOf = (version: number) => `site.${String(version).padStart(7, "0")}a.css`;
/** This text is so long that a kill can hit the middle of a write. */
const filler = "Some text.\n".repeat(5000);
const pageOf = (version: number) => `version ${version} needs ${assetOf(version)}\n${filler}end`;

function release(version: number): Site {
    const pages = ["index.html", "guide/start.html", version % 2 === 0 ? "even.html" : "odd.html"];
    const entries = pages.map((path) => [path, pageOf(version)] as const);
    return { ...Object.fromEntries(entries), [assetOf(version)]: `${filler}end` };
}

/** Reads every page and its asset repeatedly, as readers do. */
class Crawler {
    readonly #folder: string;
    readonly #crawling: Promise<void>;
    readonly seen = new Set<string>();
    #isDone = false;

    constructor(folder: string) {
        this.#folder = folder;
        this.#crawling = this.#crawl();
        // The crawler throws a failure only at the end.
        this.#crawling.catch(() => undefined);
    }

    async end(): Promise<void> {
        this.#isDone = true;
        await this.#crawling;
    }

    async #crawl(): Promise<void> {
        while (!this.#isDone) {
            const names = readdirSync(this.#folder, { recursive: true, encoding: "utf8" });
            const pages = names.filter((name) => name.endsWith(".html") && !name.startsWith(".static-export"));
            for (const page of pages) {
                const [, version = "", asset = ""] = /^version (\d+) needs (\S+)\n/.exec(this.#read(page)) ?? [];
                assert.equal(this.#read(page).endsWith("end"), true, `${page} is not whole`);
                assert.equal(this.#read(asset), `${filler}end`, `${page} needs ${asset}`);
                this.seen.add(version);
                await pause(crawlPauseMs);
            }
            await pause(crawlPauseMs);
        }
    }

    #read(path: string): string {
        return readFileSync(join(this.#folder, path), "utf8");
    }
}

/**
 * Kills a process while it carries out this write. Returns the process's exit code, or the signal that ended the
 * process.
 */
async function killDuring(child: ChildProcess, write: number): Promise<number | string | null> {
    let count = 0;
    child.on("message", () => {
        // The process may be dead by now.
        child.send("go on", () => undefined);
        count += 1;
        if (count === write) {
            child.kill("SIGKILL");
        }
    });
    const [exitCode, signal] = (await once(child, "exit")) as [number | null, string | null];
    return signal ?? exitCode;
}

describe("Processes that publish and are killed", function () {
    this.timeout(600_000);
    let fixture: SiteFixture;
    let place: string;
    let crawler: Crawler;

    beforeEach(async () => {
        fixture = await SiteFixture.create();
        place = join(fixture.folder, "target");
        crawler = new Crawler(place);
    });
    afterEach(() => fixture.remove());

    it(`show readers only whole pages, in ${releases} releases with ${releases} kills`, async () => {
        let kills = 0;
        for (let version = 1; version <= releases; version += 1) {
            const folder = await fixture.write(release(version));
            // A release takes at least ten writes: its records, its files and the lists of files.
            const child = fork(publisher, [folder, place, String(leaseMs)]);
            kills += (await killDuring(child, 1 + (version % 9))) === "SIGKILL" ? 1 : 0;
            const next = fork(publisher, [folder, place, String(leaseMs)]);
            assert.equal(await killDuring(next, Infinity), 0);
            const live = await fixture.live();
            assert.deepEqual(
                Object.keys(release(version)).filter((path) => live[path] !== release(version)[path]),
                [],
            );
        }
        await crawler.end();
        assert.equal(kills, releases);
        assert.ok(crawler.seen.size > releases / 2, `the crawler saw ${crawler.seen.size} releases`);
    });

    it("are resumed by the next run of static-export publish", async () => {
        const site = { ...release(1) };
        for (let page = 0; page < 300; page += 1) {
            site[`pages/${page}.html`] = pageOf(1);
        }
        const folder = await fixture.write(site);
        const args = [command, "publish", folder, "--to", `file://${place}`];
        const killed = spawn(process.execPath, args, { stdio: "ignore" });
        const exited = once(killed, "exit");
        await waitUntil("the first page", () => readdirSync(place).includes("pages"));
        killed.kill("SIGKILL");
        assert.equal(((await exited) as unknown[])[1], "SIGKILL");
        assert.ok(Object.keys(await fixture.live()).length < Object.keys(site).length);
        const [exitCode] = (await once(spawn(process.execPath, args, { stdio: "ignore" }), "exit")) as [number];
        assert.equal(exitCode, 0);
        await crawler.end();
        assert.deepEqual(await fixture.live(), site);
    });
});
