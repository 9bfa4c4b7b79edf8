import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { domain } from "../support/running-service.js";
import { other, repository, source, withSitesFile } from "./support/watched-file.js";

describe("A sites file that another program replaces", () => {
    for (const [what, ...lines] of [
        ["is the page of a proxy", "<!doctype html>", '<html lang="en">', "<h1>502 Bad Gateway</h1>", "</html>"],
        ["is a list in YAML", `- ${domain}=${repository("new")}`, `- ${other}=${repository("new")}`],
        ["has values that are not sources", `${domain}: [./docs]`, `${other}: 5`],
    ] as const) {
        it(`changes no site while it ${what}, and one line of the log says so`, async () => {
            await withSitesFile(async ({ write, watch, log, file }) => {
                await write(`${domain}=${repository("docs")}`, `${other}=${repository("other")}`);
                const watched = watch();
                await write(...lines);
                watched.reload();
                watched.reload();
                assert.deepEqual([...watched.sites.keys()], [domain, other]);
                assert.deepEqual(watched.sites.get(domain)?.source, source("docs"));
                assert.equal(log.length, 1);
                assert.match(log[0]!, /^The sites stay as they were, until the file is corrected: None of \d lines/);
                assert.match(log[0]!, new RegExp(`Sites file ${file}, (line|entry) 1: `));
                assert.equal(watched.faults.length, 1);
                await write(`${other}=${repository("other")}`);
                watched.reload();
                assert.deepEqual([[...watched.sites.keys()], watched.faults], [[other], []]);
            });
        });
    }

    it("may be UTF-16 or have a byte order mark, as editors on Windows write it", async () => {
        const text = `# Team docs\r\n${domain}=${repository("docs")}\r\n${other}=${repository("other")}\r\n`;
        for (const [mark, encoding] of [
            ["\uFEFF", "utf16le"],
            ["\uFEFF", "utf8"],
        ] as const) {
            await withSitesFile(async ({ watch, file }) => {
                await writeFile(file, Buffer.from(mark + text, encoding));
                assert.deepEqual(watch().sites.get(other)?.source, source("other"));
            });
        }
    });

    it("changes no site and stops nothing while it is a named pipe", async () => {
        await withSitesFile(async ({ write, watch, log, file }) => {
            await write(`${domain}=${repository("docs")}`);
            const watched = watch();
            await rm(file);
            execFileSync("mkfifo", [file]);
            watched.reload();
            assert.deepEqual([...watched.sites.keys()], [domain]);
            assert.match(log.join("\n"), /until the file is corrected: .* cannot be read \(not a regular file\)/);
        });
    });
});
