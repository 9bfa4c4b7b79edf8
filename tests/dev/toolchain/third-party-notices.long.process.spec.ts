import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { writeNotices } from "../../../dev/toolchain/third-party-notices.mjs";

/** A package that a bundle contains. */
interface Library {
    name: string;
    license?: string;
    author?: string;
    licenceFile?: string;
}

describe("the third-party notices of a bundle", () => {
    let folder: string;

    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-notices-"));
        await writeFile(join(folder, "package.json"), JSON.stringify({ name: "program", version: "1.0.0" }));
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    async function noticesWith(...libraries: Library[]): Promise<string> {
        for (const { name, license, author, licenceFile } of libraries) {
            const target = join(folder, "node_modules", name);
            await mkdir(target, { recursive: true });
            await writeFile(join(target, "package.json"), JSON.stringify({ name, version: "2.0.0", license, author }));
            await writeFile(join(target, "index.js"), `console.log(${JSON.stringify(name)});`);
            if (licenceFile !== undefined) {
                await writeFile(join(target, "LICENSE"), licenceFile);
            }
        }
        await writeFile(join(folder, "main.js"), libraries.map(({ name }) => `import "${name}";`).join("\n"));
        const { metafile } = await build({
            absWorkingDir: folder,
            entryPoints: ["main.js"],
            bundle: true,
            metafile: true,
            write: false,
            outdir: "dist",
        });
        writeNotices({ metafile, workingFolder: folder, artifact: "The program", folder });
        return readFile(join(folder, "THIRD-PARTY-NOTICES.txt"), "utf8");
    }

    it("contain the text of a library's own licence file", async () => {
        const notices = await noticesWith({
            name: "one",
            license: "MIT",
            licenceFile: "Copyright (c) Ada. Do what you like.",
        });
        assert.match(notices, /one 2\.0\.0 \(MIT\)\n\nCopyright \(c\) Ada\. Do what you like\./);
    });

    it("contain the standard licence text with the author's name for a library without a licence file", async () => {
        const notices = await noticesWith({ name: "one", license: "MIT", author: "Ada" });
        assert.match(
            notices,
            /one 2\.0\.0 \(MIT\)\n\nCopyright \(c\) Ada\n\nMIT License\n\nPermission is hereby granted/,
        );
    });

    it("contain each licence text only once if several libraries share it", async () => {
        const licenceFile = "Copyright (c) Ada.";
        const notices = await noticesWith(
            { name: "one", license: "ISC", licenceFile },
            { name: "two", license: "ISC", licenceFile },
        );
        assert.match(notices, /one 2\.0\.0 \(ISC\)\ntwo 2\.0\.0 \(ISC\)\n\nCopyright/);
    });

    it("use the permitted licence if a library offers two licences", async () => {
        const notices = await noticesWith({ name: "one", license: "(MIT OR GPL-3.0-only)", licenceFile: "Either." });
        assert.match(notices, /one 2\.0\.0/);
    });

    const refused = [
        { what: "a licence that is not allowed", library: { license: "GPL-3.0-only", licenceFile: "Share alike." } },
        {
            what: "one licence of two that is not allowed",
            library: { license: "(MIT AND GPL-3.0-only)", licenceFile: "Both." },
        },
        { what: "no licence", library: {} },
        { what: "a licence without a text", library: { license: "BSD-3-Clause" } },
    ];
    for (const { what, library } of refused) {
        it(`fail the build for a library with ${what}`, async () => {
            await assert.rejects(noticesWith({ name: "one", ...library }), /one 2\.0\.0 has /);
        });
    }
});
