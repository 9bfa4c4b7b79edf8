import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readWantedVersions } from "../../../service/src/builds/wanted-versions.js";
import { type Files, withFolder, writeFiles } from "../../exporter/support/site-fixture.js";

async function versionsOf(files: Files, base = "."): Promise<string> {
    let found = "";
    await withFolder(async (folder) => {
        await writeFiles(folder, { "website/index.md": "", ...files });
        const { node, python } = readWantedVersions(join(folder, base), folder);
        found = `${node.join(" ")}; ${python.join(" ")}`;
    });
    return found;
}

const engines = (node: string) => ({ "package.json": JSON.stringify({ engines: { node } }) });

describe("The versions that a repository asks for", () => {
    const cases: readonly (readonly [string, Files, string])[] = [
        ["a version in .nvmrc", { ".nvmrc": "v20.11.0\n" }, "20.11.0; "],
        ["a name in .nvmrc", { ".nvmrc": "lts/iron" }, "20; "],
        ["the newest versions with long-term support", { ".nvmrc": "lts/*" }, "24 22; "],
        [".node-version, after a comment", { ".node-version": "# ours\n22\n" }, "22; "],
        [".tool-versions", { ".tool-versions": "python 3.11.4 3.10\nnodejs 18.2.0\n" }, "18.2.0; 3.11"],
        [".python-version, without the last part", { ".python-version": "3.12.1\n" }, "; 3.12"],
        ["a lower limit in engines", engines(">=20.9"), "24 22 26 20; "],
        ["alternatives in engines", engines("^18.18.0 || ^20.9.0 || >=24"), "24 26 20 18; "],
        ["both limits in engines", engines(">=18 <21"), "20 18; "],
        ["a span in engines", engines("18 - 20"), "20 18; "],
        ["a release in engines", engines("20.x"), "20; "],
        ["nothing that can be read", { ...engines("banana"), ".nvmrc": "$(id)", ".python-version": "pypy3" }, "; "],
    ];
    for (const [name, files, expected] of cases) {
        it(`are read: ${name}`, async () => assert.equal(await versionsOf(files), expected));
    }

    for (const encoding of ["utf8", "utf16le"] as const) {
        it(`are read from files that editors of Windows write: ${encoding} with a byte order mark`, async () => {
            await withFolder(async (folder) => {
                const write = (file: string, text: string) => writeFile(join(folder, file), `\uFEFF${text}`, encoding);
                await write(".nvmrc", "20\r\n");
                await write(".python-version", "3.12\r\n");
                const { node, python } = readWantedVersions(folder, folder);
                assert.deepEqual([node, python], [["20"], ["3.12"]]);
                await write(".nvmrc", "");
                await write("package.json", '{ "engines": { "node": "18.x" } }');
                assert.deepEqual(readWantedVersions(folder, folder).node, ["18"]);
            });
        });
    }

    it("may be unknown, unless a file that comes first or a nearer folder has one", async () => {
        await withFolder(async (folder) => {
            await writeFiles(folder, {
                ".nvmrc": "lts/-1 # the one before\n",
                ".python-version": "pypy3",
                ".tool-versions": "nodejs 22\npython 3.13t\n",
                "site/.node-version": "",
                "site/.python-version": ">=3.11",
                "site/package.json": '{ "engines": { "node": "banana" } }',
                "new/.nvmrc": "24",
                "new/.node-version": "system",
                "any/package.json": '{ "engines": { "node": "*" } }',
            });
            const unknownIn = (base: string) =>
                readWantedVersions(join(folder, base), folder).unknown.map(({ file, text }) => `${file} ${text}`);
            const python = [".python-version pypy3", ".tool-versions 3.13t"];
            const site = ["package.json banana", ".python-version >=3.11"];
            assert.deepEqual(unknownIn("site"), [...site, ".nvmrc lts/-1", ...python]);
            assert.deepEqual(unknownIn("new"), python);
            assert.deepEqual(unknownIn("any"), [".nvmrc lts/-1", ...python]);
        });
    });

    it("are those of the nearest folder", async () => {
        const files = { ".nvmrc": "20", ".python-version": "3.10", "website/.nvmrc": "22" };
        assert.equal(await versionsOf(files, "website"), "22; 3.10");
    });
});
