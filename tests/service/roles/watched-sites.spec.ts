import assert from "node:assert/strict";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { WatchedSites } from "../../../service/src/roles/watched-sites.js";
import { adminApiKey, domain, withFolder, withServiceOver } from "../support/running-service.js";
import { waitUntil } from "../../wait-until.js";
import { copyingExporter } from "../support/scripted-exporter.js";

const other = "other.example.com";
const never = new AbortController().signal;

interface Fixture {
    file: string;
    /** Writes the file atomically, as Kubernetes does with a ConfigMap. */
    write: (...lines: string[]) => Promise<void>;
    log: string[];
    watch: (check?: () => void) => WatchedSites;
}

async function withSitesFile(use: (fixture: Fixture) => Promise<void>): Promise<void> {
    await withFolder(async (folder) => {
        const file = join(folder, "sites");
        const log: string[] = [];
        const logger = { info: (line: string) => void log.push(line), error: (line: string) => void log.push(line) };
        await use({
            file,
            log,
            async write(...lines) {
                await writeFile(`${file}.new`, lines.join("\n"));
                await rename(`${file}.new`, file);
            },
            watch: (check = () => undefined) => new WatchedSites({ sitesFile: file, check, logger, checkMs: 1 }),
        });
    });
}

const repository = (name: string): string => `git+https://git.example.com/acme/${name}.git#main`;

describe("The sites file", () => {
    it("contains one site per line in the format of --site, and may contain comments", async () => {
        await withSitesFile(async ({ write, watch }) => {
            await write(
                "# Team docs",
                "",
                `docs.example.com/help=${repository("docs")}`,
                `${other}=${repository("other")}`,
            );
            const { sites } = watch();
            assert.deepEqual([...sites.keys()], ["docs.example.com", other]);
            assert.equal(sites.get("docs.example.com")?.basePath, "help");
        });
    });

    it("adds, changes and removes sites while the service runs", async () => {
        await withSitesFile(async ({ write, watch, log, file }) => {
            await write(`${domain}=${repository("docs")}`);
            const watched = watch();
            await write(`${other}=${repository("other")}`);
            watched.reload();
            assert.deepEqual([...watched.sites.keys()], [other]);
            watched.reload();
            assert.deepEqual(log, [`Sites file ${file} has changed: 1 sites.`]);
        });
    });

    it("takes only milliseconds of processor time to reload with 3,000 sites", async () => {
        await withSitesFile(async ({ write, watch }) => {
            const lines = Array.from(
                { length: 3000 },
                (_, index) => `${index}.example.com=${repository(`docs-${index}`)}`,
            );
            await write(...lines);
            const watched = watch();
            await write(...lines, `${other}=${repository("other")}`);
            const before = process.cpuUsage();
            watched.reload();
            const { user, system } = process.cpuUsage(before);
            assert.equal(watched.sites.size, 3001);
            assert.ok(user + system < 500_000, `${(user + system) / 1000} ms`);
        });
    });

    it("changes no site if it is invalid, and the log reports the reason once", async () => {
        await withSitesFile(async ({ write, watch, log, file }) => {
            await write(`${domain}=${repository("docs")}`);
            const watched = watch();
            for (const [line, says] of [
                ["docs.example.com", `Sites file ${file}, line 1: write it as docs.example.com=./docs, or`],
                [`no domain=${repository("docs")}`, 'Site "no domain": the domain must be a host name'],
                ["docs.example.com=/no/such/folder", "Site docs.example.com: there is no folder /no/such/folder."],
                ["", "No site is given"],
            ] as const) {
                await write(line);
                watched.reload();
                watched.reload();
                assert.ok(log.at(-1)?.includes(`until the file is corrected: ${says}`), log.at(-1));
            }
            await rm(file);
            watched.reload();
            assert.match(log.at(-1) ?? "", /cannot be read \(ENOENT\)/);
            assert.equal(log.length, 5);
            assert.deepEqual([...watched.sites.keys()], [domain]);
        });
    });

    it("is refused at startup if it is invalid or names a site that an option also names", async () => {
        await withSitesFile(async ({ write, watch, file }) => {
            assert.throws(() => watch(), { name: "ServiceOptionsError", message: /cannot be read \(ENOENT\)/ });
            await write(`${domain}=${repository("docs")}`);
            const sites = { [domain]: repository("docs") };
            const logger = { info: () => undefined, error: () => undefined };
            assert.throws(
                () => new WatchedSites({ sites, sitesFile: file, check: () => undefined, logger }),
                /Site docs\.example\.com is given twice/,
            );
        });
    });

    it("rejects sites that would publish a secret", async () => {
        await withSitesFile(async ({ write, watch, log }) => {
            await write(`${domain}=${repository("docs")}`);
            let isAllowed = true;
            const watched = watch(() => {
                if (!isAllowed) {
                    throw new Error("would be published");
                }
            });
            isAllowed = false;
            await write(`${other}=${repository("docs")}`);
            watched.reload();
            assert.deepEqual([[...watched.sites.keys()], log.length], [[domain], 1]);
        });
    });

    it("is reread by a job's process until it contains a site that the API has already read", async () => {
        await withSitesFile(async ({ write, watch }) => {
            await write(`${domain}=${repository("docs")}`);
            const watched = watch();
            const found = watched.find(other, never);
            await write(`${other}=${repository("other")}`);
            assert.ok(await found);
            assert.equal(await new WatchedSites({ ...noFile }).find(other, never), undefined);
        });
    });

    it("adds a site to a running service without a restart", async () => {
        await withFolder(async (folder) => {
            const sitesFile = join(folder, "sites");
            await writeFile(sitesFile, "# None yet\n");
            const options = { exporter: copyingExporter, sitesFile, adminApiKey };
            await withServiceOver(folder, options, async ({ request, start, reaches }) => {
                const start403 = () => request("POST", "/v1/static-export/jobs", { json: { domain: other } });
                assert.equal((await start403()).status, 403);
                await mkdir(join(folder, "other"));
                await writeFile(join(folder, "other", "index.md"), "# Other\n");
                await writeFile(sitesFile, `${other}=${join(folder, "other")}\n`);
                await waitUntil("the site was read", async () => (await start403()).status !== 403);
                await reaches(await start({ domain: other }), "completed");
            });
        });
    }).timeout(30_000);
});

const noFile = {
    sites: { [domain]: repository("docs") },
    check: () => undefined,
    logger: { info: () => undefined, error: () => undefined },
};
