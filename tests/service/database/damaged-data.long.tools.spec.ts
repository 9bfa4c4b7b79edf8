import assert from "node:assert/strict";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { DatabaseSync } from "node:sqlite";
import { createService, type Service } from "@pulumi-static-export/service";
import { flipBit } from "../../exporter/support/flipped-bits.js";
import { adminApiKey, domain, withFolder, withServiceOver } from "../support/running-service.js";
import { copyingExporter } from "../support/scripted-exporter.js";
import { scaled } from "../../scale.js";

const numRuns = scaled({ short: 12, long: 60 });
const jobs = "/v1/static-export/jobs";
const site = "# Welcome\n\nHello.\n";
const projects = { docs: { repository: "https://github.com/acme/docs" } };

/** Internal messages of the database and its driver, which users must not see. */
const bareWords = /malformed|disk image|SQLITE_|SqliteError|not a database|no such (?:table|column)|syntax error/;

function open(folder: string, lines: string[] = []): Service {
    const note = (line: string): void => void lines.push(line);
    return createService({
        dataDir: join(folder, "data"),
        sites: { [domain]: join(folder, "site") },
        adminApiKey,
        projects,
        exporter: copyingExporter,
        logger: { info: note, error: note },
    });
}

/** Creates the data folder of a service with an exported site and an agent job. Returns the export's job. */
async function prepareData(folder: string): Promise<string> {
    let jobId = "";
    await withServiceOver(folder, { exporter: copyingExporter, projects }, async ({ start, reaches, request }) => {
        jobId = await start({ version: "2026-11-01", paths: ["/"] });
        await reaches(jobId, "completed");
        await request("POST", "/v2/agent/docs/job", { json: { prompt: "Fix typos." } });
    });
    return jobId;
}

describe("A flipped bit in any file of the data folder", function () {
    this.timeout(numRuns * 10_000);

    it("changes no served bundle, and no error contains the database's message", async () => {
        await withFolder(async (folder) => {
            const [data, whole] = [join(folder, "data"), join(folder, "whole")];
            const jobId = await prepareData(folder);
            await cp(data, whole, { recursive: true });
            const entries = await readdir(whole, { recursive: true, withFileTypes: true });
            const files = entries
                .filter((entry) => entry.isFile())
                .map((entry) => join(entry.parentPath, entry.name).slice(whole.length));
            assert.ok(files.length >= 3, files.join(" "));
            await fc.assert(
                fc.asyncProperty(fc.constantFrom(...files), fc.nat(2 ** 22), async (file, bit): Promise<void> => {
                    await rm(data, { recursive: true });
                    await cp(whole, data, { recursive: true });
                    await flipBit(join(data, file), bit);
                    const lines: string[] = [];
                    let service: Service | undefined;
                    try {
                        service = open(folder, lines);
                        await service.listen();
                        assert.equal(await bundleOf(service, jobId), site);
                    } catch (error) {
                        if (error instanceof assert.AssertionError) {
                            throw error;
                        }
                        lines.push((error as Error).message);
                    } finally {
                        await service?.close();
                    }
                    assert.doesNotMatch(lines.join("\n"), bareWords);
                }),
                { numRuns },
            );
        });
    });
});

/** Returns the served bundle, or the site if no bundle is served. */
async function bundleOf(service: Service, jobId: string): Promise<string> {
    const headers = { authorization: `Bearer ${adminApiKey}` };
    const answer = await fetch(`${service.url}${jobs}/${jobId}/bundle`, { method: "POST", headers });
    const text = await answer.text();
    assert.doesNotMatch(text, bareWords);
    if (answer.status !== 200) {
        return site;
    }
    const { bundleUrl } = JSON.parse(text) as { bundleUrl: string };
    const download = await fetch(bundleUrl);
    const content = await download.text();
    assert.doesNotMatch(content, bareWords);
    return download.status === 200 ? content : site;
}

describe("Invalid UTF-8 in a string of the database", () => {
    it("is reported at startup with its place and the remedy", async () => {
        await withFolder(async (folder) => {
            await prepareData(folder);
            const database = new DatabaseSync(join(folder, "data", "service.sqlite"));
            database.exec("UPDATE static_export_jobs SET version = CAST(x'41ff42' AS TEXT)");
            database.close();
            assert.throws(
                () => open(folder),
                /service\.sqlite .* is damaged \(table static_export_jobs, row 1, column version: the text is not valid UTF-8\): restore a backup, or remove it/,
            );
        });
    });

    it("is reported at startup even if it is in a column name", async () => {
        await withFolder(async (folder) => {
            await prepareData(folder);
            const file = join(folder, "data", "service.sqlite");
            const bytes = await readFile(file);
            for (let at = bytes.indexOf("page_count"); at !== -1; at = bytes.indexOf("page_count")) {
                bytes[at] = 0xff;
            }
            await writeFile(file, bytes);
            assert.throws(() => open(folder), /service\.sqlite .* is damaged \(.+\): restore a backup/);
        });
    });
});

describe("A lost database", () => {
    const losses: Record<string, (file: string) => Promise<void>> = {
        emptied: (file) => writeFile(file, ""),
        removed: (file) => rm(file),
    };
    for (const [what, lose] of Object.entries(losses)) {
        it(`is not recreated if the file was ${what}, because that would remove the bundles`, async () => {
            await withFolder(async (folder) => {
                await prepareData(folder);
                await lose(join(folder, "data", "service.sqlite"));
                assert.throws(
                    () => open(folder),
                    /service\.sqlite .* is missing or empty, but the folder bundles is not: restore a backup/,
                );
                assert.equal((await readdir(join(folder, "data", "bundles"))).length, 1);
            });
        });
    }

    it("is recreated if the bundles have also been removed", async () => {
        await withFolder(async (folder) => {
            await mkdir(join(folder, "data"));
            await prepareData(folder);
            await rm(join(folder, "data", "service.sqlite"));
            await rm(join(folder, "data", "bundles"), { recursive: true });
            await withServiceOver(folder, { exporter: copyingExporter }, async ({ start, reaches }) => {
                await reaches(await start(), "completed");
            });
        });
    });
});
