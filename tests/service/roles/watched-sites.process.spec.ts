import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createService } from "../../../service/src/index.js";
import { assertNothingSecretPublished } from "../../../service/src/roles/data-folder.js";
import { WatchedSites } from "../../../service/src/roles/watched-sites.js";
import { adminApiKey, domain, withFolder, withServiceOver } from "../support/running-service.js";
import { waitUntil } from "../../wait-until.js";
import { other, repository, source, withSitesFile } from "./support/watched-file.js";
import { copyingExporter } from "../support/scripted-exporter.js";

const never = new AbortController().signal;

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
            assert.deepEqual(log, [`Sites file ${file} has changed: 1 site.`]);
        });
    });

    it("takes only milliseconds of CPU time to reload with 3,000 sites", async () => {
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

    it("takes only milliseconds of CPU time to look at one wrong line among 1,000 folders again", async () => {
        await withSitesFile(async ({ file, write, watch, log }) => {
            const parent = join(dirname(file), "sites-of-all");
            const folders = Array.from({ length: 1000 }, (_, index) => join(parent, `s${index}`));
            await Promise.all(folders.map((folder) => mkdir(folder, { recursive: true })));
            const missing = join(parent, "missing");
            await write(...folders.map((folder, index) => `${index}.example.com=${folder}`), `${other}=${missing}`);
            const options = { dataDir: join(dirname(file), "data") };
            const usedMs = (use: () => void): number => {
                const before = process.cpuUsage();
                use();
                const { user, system } = process.cpuUsage(before);
                return (user + system) / 1000;
            };
            let watched: WatchedSites | undefined;
            const firstMs = usedMs(() => {
                watched = watch(undefined, (name, site, realPlace) =>
                    assertNothingSecretPublished(options, name, site, realPlace),
                );
            });
            assert.ok(firstMs < 1000, `${firstMs} ms`);
            const againMs = usedMs(() => watched?.reload());
            assert.ok(againMs < 50, `${againMs} ms`);
            assert.equal(log.length, 1);
            await mkdir(missing);
            watched?.reload();
            assert.deepEqual(watched?.faults, []);
        });
    });

    for (const [what, line, says] of [
        ["has no place", `${domain}`, "write it as docs.example.com=./docs, or"],
        ["has no domain", `no domain=${repository("docs")}`, 'Site "no domain": the domain must be a host name'],
        ["names a missing folder", `${domain}=/no/such/folder`, `Site ${domain}: there is no folder /no/such/folder.`],
        ["names a site again", `${other}=${repository("new")}`, `Site ${other} is given twice: it is also in line 1.`],
        [
            "holds a token",
            `${domain}=git+https://u:t0ken@git.example.com/a.git`,
            `Site ${domain}: the repository's URL`,
        ],
    ] as const) {
        it(`affects only its own site if a line ${what}: the site stays as it was, and the log names the line once`, async () => {
            await withSitesFile(async ({ write, watch, log, file }) => {
                await write(`${other}=${repository("other")}`, `${domain}=${repository("docs")}`);
                const watched = watch();
                const before = watched.sites.get(domain);
                await write(`${other}=${repository("changed")}`, line, `new.example.com=${repository("new")}`);
                watched.reload();
                watched.reload();
                const [fault, changed, ...others] = log;
                assert.ok(fault?.startsWith(`Sites file ${file}, line 2: ${says}`), fault);
                assert.match(fault!, / Other sites are not affected\.$/);
                assert.doesNotMatch(fault!, /t0ken/);
                assert.deepEqual([changed?.slice(0, 10), others, watched.faults.length], ["Sites file", [], 1]);
                assert.deepEqual(watched.sites.get(other)?.source, source("changed"));
                assert.ok(watched.sites.has("new.example.com"));
                assert.equal(watched.sites.get(domain), line.includes(domain) ? before : undefined);
            });
        });
    }

    it("has no wrong line any more once it is corrected, or the folder is there", async () => {
        await withSitesFile(async ({ write, watch, file }) => {
            const folder = `${file}-docs`;
            await write(`${domain}=${folder}`, "# none", "no line");
            const watched = watch();
            assert.deepEqual([watched.faults.length, [...watched.sites.keys()]], [2, [domain]]);
            await mkdir(folder);
            watched.reload();
            assert.equal(watched.faults.length, 1);
            await write(`${domain}=${folder}`);
            watched.reload();
            assert.equal(watched.faults.length, 0);
        });
    });

    it("changes no site while it is empty", async () => {
        await withSitesFile(async ({ write, watch, log }) => {
            await write(`${domain}=${repository("docs")}`);
            const watched = watch();
            await write("");
            watched.reload();
            assert.match(log[0]!, /until the file is corrected: No site is given/);
            assert.deepEqual([...watched.sites.keys()], [domain]);
        });
    });

    it("changes no site while it is empty, although another site is an option", async () => {
        await withSitesFile(async ({ write, watch, log }) => {
            await write(`${domain}=${repository("docs")}`);
            const watched = watch(undefined, undefined, { [other]: repository("other") });
            await write("");
            watched.reload();
            assert.match(log[0]!, /until the file is corrected: .+ names no site. To remove all its sites, restart/);
            assert.deepEqual([...watched.sites.keys()].sort(), [domain, other].sort());
        });
    });

    it("changes no site while it cannot be read, and the log reports the reason once", async () => {
        await withSitesFile(async ({ write, watch, log, file }) => {
            await write(`${domain}=${repository("docs")}`);
            const watched = watch();
            await rm(file);
            watched.reload();
            watched.reload();
            assert.equal(log.length, 1);
            assert.match(log[0]!, /until the file is corrected: .* cannot be read \(ENOENT\)/);
            assert.deepEqual([...watched.sites.keys()], [domain]);
        });
    });

    it("starts with the other sites if a line is wrong", async () => {
        await withSitesFile(async ({ write, watch, log }) => {
            await write("no line", `${domain}=${repository("docs")}`);
            assert.deepEqual([...watch().sites.keys()], [domain]);
            assert.match(log.join("\n"), /line 1: write it as/);
        });
    });

    it("has the domain of a wrong line in the log's fields, from the start of the process on", async () => {
        await withSitesFile(async ({ write, file }) => {
            await write(`bad.example.com=/no/such/folder`, `${domain}=${repository("docs")}`);
            const fields: unknown[] = [];
            const logger = { info: () => undefined, error: (_: string, about?: object) => void fields.push(about) };
            assert.deepEqual([...new WatchedSites({ sitesFile: file, logger }).sites.keys()].length, 2);
            assert.deepEqual(fields, [{ domain: "bad.example.com" }]);
        });
    });

    it("is refused at startup if it cannot be read or names no site", async () => {
        await withSitesFile(async ({ write, watch }) => {
            assert.throws(() => watch(), { name: "ServiceOptionsError", message: /cannot be read \(ENOENT\)/ });
            await write("# none");
            assert.throws(() => watch(), { name: "ServiceOptionsError", message: /No site is given/ });
        });
    });

    it("does not replace the site of an option", async () => {
        await withSitesFile(async ({ write, file, log }) => {
            await write(`${domain}=${repository("other")}`);
            const sites = { [domain]: repository("docs") };
            const logger = { info: () => undefined, error: (line: string) => void log.push(line) };
            const watched = new WatchedSites({ sites, sitesFile: file, check: () => undefined, logger });
            assert.deepEqual(watched.sites.get(domain)?.source, source("docs"));
            assert.match(log[0]!, /is given twice: it is also in an option/);
        });
    });

    it("whose only line is wrong is reported once if options have sites", async () => {
        await withSitesFile(async ({ write, file, log }) => {
            await write("no line");
            const sites = { [domain]: repository("docs") };
            const logger = { info: () => undefined, error: (line: string) => void log.push(line) };
            const watched = new WatchedSites({ sites, sitesFile: file, logger });
            watched.reload();
            assert.deepEqual([log.length, watched.faults.length, [...watched.sites.keys()]], [1, 1, [domain]]);
        });
    });

    for (const [what, place, message] of [
        ["folder", "/no/such/folder", /Site docs\.example\.com: there is no folder/],
        ["address", "git+nowhere", /Site docs\.example\.com: after git\+ there must be/],
    ] as const) {
        it(`is needed for nothing: an option with a wrong ${what} is refused`, () => {
            assert.throws(() => new WatchedSites({ ...noFile, sites: { [domain]: place } }), { message });
        });
    }

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

    it("drops only the site that would publish a secret, and checks the rest together, never a part", async () => {
        await withSitesFile(async ({ write, watch, log, file }) => {
            await write(`${domain}=${repository("docs")}`, `${other}=${repository("other")}`);
            const checked: string[][] = [];
            const watched = watch(
                (sites) => void checked.push([...sites.keys()]),
                (each) => assert.notEqual(each, other, "would be published"),
            );
            assert.deepEqual([...watched.sites.keys()], [domain]);
            assert.deepEqual(checked, [[domain]]);
            assert.match(log.join("\n"), new RegExp(`^Sites file ${file}, line 2: would be published Other sites`));
        });
    });

    it("may contain the site of a preview domain, also if no option names a site", async () => {
        await withFolder(async (folder) => {
            const sitesFile = join(folder, "sites");
            await writeFile(sitesFile, `${other}=${repository("other")}\nno line\n`);
            const previewDomains = { [other]: "previews.example.com" };
            const options = { dataDir: join(folder, "data"), sitesFile, previewDomains, adminApiKey };
            await createService({ ...options, sites: {}, exporter: copyingExporter }).close();
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

    it("with a wrong line and a missing folder stops no service: the other sites are exported, and the job says what is missing", async () => {
        await withFolder(async (folder) => {
            const sitesFile = join(folder, "sites");
            await writeFile(sitesFile, `no line\n${other}=${join(folder, "missing")}\n`);
            const options = { exporter: copyingExporter, sitesFile, adminApiKey };
            await withServiceOver(folder, options, async ({ start, reaches }) => {
                await reaches(await start({ domain }), "completed");
                await reaches(await start({ domain: other }), "failed");
            });
        });
    }).timeout(30_000);

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
