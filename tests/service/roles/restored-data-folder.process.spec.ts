import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const nobody = 65_534;
const service = new URL("../../../service/dist/", import.meta.url).href;
const owner = `belongs to root, and this process runs as user ${nobody}. Run chown --recursive on the folder`;

describe("A data folder that root has restored without its owner", function () {
    let folder: string;
    beforeEach(async function () {
        if (process.getuid?.() !== 0) {
            this.skip();
        }
        folder = await mkdtemp(join(tmpdir(), "restored-"));
        await chmod(folder, 0o755);
    });
    afterEach(() => folder && rm(folder, { recursive: true }));

    /** @returns the message of the error that the code throws as another user */
    const fails = (code: string): string => {
        const script =
            `import { prepareDataFolder } from ${JSON.stringify(`${service}roles/data-folder.js`)};` +
            `import { toServiceError } from ${JSON.stringify(`${service}database/sqlite-errors.js`)};` +
            `const folder = ${JSON.stringify(folder)}; process.setuid(${nobody});` +
            `try { ${code} } catch (error) { console.log(error.message); }`;
        return execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }).trim();
    };

    it("is refused with its owner and the remedy", () => {
        const expected = `Data folder ${folder} cannot be written (EACCES): it ${owner}, or choose another one.`;
        assert.equal(fails("prepareDataFolder(folder);"), expected);
    });

    for (const [code, name] of [
        [8, "READONLY"],
        [14, "CANTOPEN"],
        [1032, "READONLY_DBMOVED, a detail of READONLY"],
    ] as const) {
        it(`is refused with the owner of its database if only that is root's: ${name}`, async () => {
            await writeFile(join(folder, "service.sqlite"), "");
            const error = `Object.assign(new Error("of the driver"), { code: "ERR_SQLITE_ERROR", errcode: ${code} })`;
            const file = `The database service.sqlite in data folder ${folder}`;
            const message = fails(`throw toServiceError(${error}, folder);`);
            assert.equal(message, `${file} cannot be used: it ${owner}.`);
            await chown(join(folder, "service.sqlite"), nobody, nobody);
            assert.match(fails(`throw toServiceError(${error}, folder);`), /cannot be used: the disk cannot be /);
        });
    }
});
