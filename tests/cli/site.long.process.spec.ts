import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
    adminApiKey,
    domain,
    type RunningService,
    withFolder,
    withServiceOver,
} from "../service/support/running-service.js";
import { copyingExporter } from "../service/support/scripted-exporter.js";
import { type Outcome, run } from "./support/command.js";

const other = "other.example.com";

describe("static-export site", () => {
    interface Fixture extends RunningService {
        site: (...args: string[]) => Promise<Outcome>;
    }

    /** Runs a service over a data folder, with these sites. */
    const withSites = (folder: string, domains: readonly string[], use: (fixture: Fixture) => Promise<void>) => {
        const sites = Object.fromEntries(domains.map((each) => [each, join(folder, "site")]));
        return withServiceOver(folder, { sites, exporter: copyingExporter }, (running) => {
            const env = { STATIC_EXPORT_BASE_URL: running.service.url, STATIC_EXPORT_ADMIN_API_KEY: adminApiKey };
            return use({ ...running, site: (...args) => run(tmpdir(), ["site", ...args], env) });
        });
    };

    it("lists sites with their last export, their storage, and who exports most", async () => {
        await withFolder((folder) =>
            withSites(folder, [domain, other], async ({ site, start, reaches }) => {
                const jobId = await start();
                await reaches(jobId, "completed");
                const { stdout } = await site("list");
                assert.match(
                    stdout,
                    new RegExp(
                        `^DOMAIN +STATE .*\n${other} +never +- +- +-\n${domain} +completed +\\S+ +\\d+ +${jobId}\n$`,
                    ),
                );
                assert.equal((await site("list", "--state", "failed")).stdout.trim().split("\n").length, 1);
                assert.match((await site("usage")).stdout, new RegExp(`^${domain} +1 +0\\.0$`, "m"));
                assert.match((await site("statistics")).stdout, new RegExp(`^${domain} +1 +0 +\\d+$`, "m"));
                const byKey = await site("statistics", "--by", "key", "--json");
                const [counted] = JSON.parse(byKey.stdout) as { name: string; exports: number }[];
                assert.deepEqual([counted?.name, counted?.exports], ["key of the service", 1]);
            }),
        );
    });

    it("remove refuses a site that the service has, and removes what is left of another", async () => {
        await withFolder(async (folder) => {
            await withSites(folder, [domain, other], async ({ site, start, reaches }) => {
                await reaches(await start({ domain: other }), "completed");
                const { exitCode, stderr } = await site("remove", other, "--purge");
                assert.deepEqual([exitCode, /remove it from --site or the sites file first/.test(stderr)], [5, true]);
                assert.match((await site("remove", other)).stderr, /required option '--purge' not specified/);
            });
            await withSites(folder, [domain], async ({ site }) => {
                const removed = `Removed 1 job of ${other}. Their bundles follow within ten minutes.\n`;
                assert.equal((await site("remove", other, "--purge")).stdout, removed);
                assert.match((await site("remove", other, "--purge")).stderr, /No jobs or bundles of a site/);
            });
        });
    });

    it("remove lets a site move to another service, which exports it first", async () => {
        await withFolder(async (folder) => {
            await withSites(folder, [domain, other], async ({ start, reaches }) => {
                await reaches(await start({ domain: other }), "completed");
            });
            await withSites(folder, [domain], async ({ site }) => {
                await withFolder((elsewhere) =>
                    withSites(elsewhere, [other], async (second) => {
                        const keyFile = join(elsewhere, "key");
                        await writeFile(keyFile, adminApiKey, { mode: 0o600 });
                        const place = ["--base-url", second.service.url, "--admin-key-file", keyFile];
                        const { exitCode, stderr } = await run(elsewhere, [
                            "export",
                            "--domain",
                            other,
                            ...place,
                            "-o",
                            "out",
                        ]);
                        assert.equal(exitCode, 1, "the copying exporter of this spec writes no archive");
                        assert.match(stderr, /not a gzipped tar archive/);
                        assert.match((await second.site("list")).stdout, new RegExp(`^${other} +completed`, "m"));
                    }),
                );
                assert.equal((await site("remove", other, "--purge")).exitCode, 0);
            });
        });
    });
});
