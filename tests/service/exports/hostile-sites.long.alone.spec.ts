import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ServiceOptions } from "@pulumi-static-export/service";
import { crashingPages } from "../../exporter/support/hostile-pages.js";
import { domain, withFolder, withServiceOver } from "../support/running-service.js";

interface Ended {
    status: string;
    error: string;
    log: string;
}

/** Runs one job for each site in sequence, in the same service; each site consists of the given pages. */
async function exportSites(
    sites: readonly Readonly<Record<string, string>>[],
    options: Partial<ServiceOptions> = {},
): Promise<Ended[]> {
    const ended: Ended[] = [];
    await withFolder(async (folder) => {
        const log: string[] = [];
        let onEnd = (): void => undefined;
        const note = (message: string): void => {
            log.push(message);
            if (/^Export job \S+ of \S+ (completed|failed): /.test(message)) {
                onEnd();
            }
        };
        const logger = { info: note, error: note };
        await withServiceOver(folder, { logger, ...options }, async ({ start, request }) => {
            for (const files of sites) {
                for (const [file, content] of Object.entries(files)) {
                    await writeFile(join(folder, "site", file), content);
                }
                log.length = 0;
                const end = new Promise<void>((resolve) => (onEnd = resolve));
                const jobId = await start();
                await end;
                const { body } = await request("GET", `/v1/static-export/jobs/${jobId}`);
                ended.push({ status: String(body["status"]), error: String(body["error"]), log: log.join("\n") });
            }
        });
        assert.ok(!ended.some(({ error }) => error.includes(folder)), "an error names a path of the host");
    });
    return ended;
}

describe("A page that crashes its export", function () {
    // Starting processes takes seconds while other specs run.
    this.timeout(300_000);

    for (const [what, { file, source }] of Object.entries(crashingPages)) {
        it(`with ${what} fails its job with the page and the reason without stopping the service`, async () => {
            const guide = file.replace("index", "guide");
            const [crashed, next] = await exportSites([{ [guide]: source(0) }, { [guide]: "# Mended" }]);
            assert.equal(crashed?.status, "failed");
            assert.match(crashed.error, /^guide\.mdx?: .*(nested too deeply|ran out of memory)/);
            assert.equal(next?.status, "completed", next?.error);
        });
    }
});

describe("An export that takes too long", function () {
    this.timeout(300_000);

    const slow = (repetitions: number): string =>
        "> a\n\n<Note>b</Note> `c`\n\n| d | e |\n| - | - |\n| f | g |\n\n".repeat(repetitions);

    it("in total fails with an error that names the limit, and the next job runs", async () => {
        // The pages need far more time than the limit allows, even on a fast machine, but never reach the memory limit.
        const names = Array.from({ length: 60 }, (_, index) => `page-${index}.md`);
        const pages = (source: string) => Object.fromEntries(names.map((name) => [name, source]));
        const limits = { jobTimeoutSeconds: 12, exportMemoryMegabytes: 4096 };
        const [late, next] = await exportSites([pages(slow(15_000)), pages("# Mended")], limits);
        assert.match(String(late?.error), /^The export took longer than 12 s, the service's limit: /);
        assert.equal(next?.status, "completed", next?.error);
    });
});

describe("An export that uses too much disk space", function () {
    this.timeout(300_000);

    it("fails with an error that names the limit, leaves no files, and lets the next job run", async () => {
        await withFolder(async (folder) => {
            const site = join(folder, "site");
            const data = join(folder, "data");
            const pages = Array.from({ length: 60 }, (_, page) => join(site, `page-${page}.md`));
            await Promise.all(pages.map((page) => writeFile(page, "Some text.\n\n".repeat(20_000))));
            await withServiceOver(folder, { exportDiskMegabytes: 4 }, async ({ start, reaches }) => {
                const { error } = await reaches(await start(), "failed");
                assert.equal(
                    error,
                    "The export and the cache of its site used more than 4 MB of disk, the service's limit: " +
                        "make the site's pages shorter, or raise --export-disk-mb.",
                );
                assert.deepEqual(await readdir(join(data, "cache")), []);
                assert.deepEqual(await readdir(join(data, "work")), []);
                await Promise.all(pages.map((page) => rm(page)));
                await reaches(await start(), "completed");
            });
        });
    });
});

describe("Export processes", function () {
    this.timeout(300_000);

    it("receive no secrets from the service's environment, and end with the service", async () => {
        const children = (): string[] =>
            execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(process.pid)], { encoding: "utf8" })
                .split("\n")
                .filter((line) => line.includes("export-process-main"));
        process.env["HOSTILE_SITES_SECRET"] = "admin_secret";
        await withFolder(async (folder) => {
            await withServiceOver(folder, {}, async ({ start, reaches }) => {
                await reaches(await start({ domain }), "completed");
                const [child = ""] = children();
                const environment = await readFile(`/proc/${child.trim().split(" ")[0]}/environ`, "utf8");
                assert.ok(environment.includes("PATH="));
                assert.ok(!environment.includes("admin_secret"));
            });
            assert.deepEqual(children(), []);
        });
    });
});
