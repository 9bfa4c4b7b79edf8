import assert from "node:assert/strict";
import { lstat, mkdir, readFile, realpath, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { collectOutput } from "../../../service/src/builds/collect-output.js";
import { listFiles, withFolder, writeFiles } from "../../exporter/support/site-fixture.js";

async function withOutput(
    links: Readonly<Record<string, string>>,
    use: (folder: string, collect: (maxBytes?: number) => Promise<string[]>) => Promise<void>,
): Promise<void> {
    await withFolder(async (place) => {
        const folder = join(await realpath(place), "out");
        await mkdir(folder);
        await writeFiles(folder, { "1.0/index.html": "one", "1.0/a/b.html": "b" });
        for (const [name, target] of Object.entries(links)) {
            await symlink(target, join(folder, name));
        }
        const lines: string[] = [];
        await use(folder, async (maxBytes = 2 ** 20) => {
            await collectOutput(folder, { maxBytes, maxFiles: 2000 }, (line) => lines.push(line));
            return lines;
        });
    });
}

describe("The output of a build", () => {
    it("contains copies of linked folders and files, as mike and Antora write them", async () => {
        await withOutput({ latest: "1.0", "index.html": "latest/index.html" }, async (folder, collect) => {
            assert.deepEqual(await collect(), []);
            assert.deepEqual(await listFiles(folder), [
                ...["1.0/a/b.html", "1.0/index.html", "index.html", "latest/a/b.html", "latest/index.html"],
            ]);
            assert.equal((await lstat(join(folder, "latest"))).isSymbolicLink(), false);
            assert.equal(await readFile(join(folder, "index.html"), "utf8"), "one");
        });
    });

    it("contains no link that leads out of it, nowhere, or in a circle, and the log names them", async () => {
        const links = { outside: "/etc", gone: "nothing", "1.0/up": "..", "1.0/self": "self" };
        await withOutput(links, async (folder, collect) => {
            const [line = "", ...others] = await collect();
            assert.match(line, /^Left out 4 links that lead out of the output folder, or nowhere: "/);
            assert.deepEqual(others, []);
            assert.deepEqual(await listFiles(folder), ["1.0/a/b.html", "1.0/index.html"]);
        });
    });

    it("is refused with the name of a file that is not valid UTF-8", async function () {
        if (process.platform !== "linux") {
            this.skip();
        }
        await withOutput({}, async (folder, collect) => {
            await writeFile(Buffer.concat([Buffer.from(`${folder}/1.0/caf`), Buffer.from([0xe9])]), "latin 1");
            await assert.rejects(collect(), {
                message: 'The name of "1.0/caf\uFFFD" is not valid UTF-8: rename the file.',
            });
        });
    });

    it("is limited, also if links multiply its files", async () => {
        await withOutput({ latest: "1.0" }, async (folder, collect) => {
            await truncate(join(folder, "1.0/index.html"), 2 ** 20);
            await assert.rejects(
                collect(1_572_864),
                /The build wrote more than 1.5 MB of files: raise build\.diskMegabytes in the sites file/,
            );
        });
        const doubling = Object.fromEntries(
            Array.from({ length: 30 }, (_, at) => [0, 1].map((each) => [`d${at}/${each}`, `../d${at + 1}`])).flat(),
        ) as Record<string, string>;
        await withOutput({}, async (folder, collect) => {
            for (let at = 0; at <= 30; at += 1) {
                await mkdir(join(folder, `d${at}`));
            }
            for (const [name, target] of Object.entries(doubling)) {
                await symlink(target, join(folder, name));
            }
            await assert.rejects(
                collect(),
                /The build wrote more than 2000 files, which is the most that a site may have\./,
            );
        });
    });
});
