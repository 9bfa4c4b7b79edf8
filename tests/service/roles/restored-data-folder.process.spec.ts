import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const nobody = 65_534;
const service = new URL("../../../service/dist/", import.meta.url).href;
const owner = `belongs to root, and this process runs as user ${nobody}. Run chown --recursive on`;

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
        const expected = `Data folder ${folder} cannot be written (EACCES): it ${owner} ${folder}, or choose another one.`;
        assert.equal(fails("prepareDataFolder(folder);"), expected);
    });

    it("is not described if it does not exist, or if the fault is another: its owner is not the cause", async () => {
        const advice = "choose another one, or give this user write permission.";
        const inside = join(folder, "new");
        const missing = `Data folder ${inside} cannot be written (EACCES): ${advice}`;
        assert.equal(fails('prepareDataFolder(folder + "/new");'), missing);
        await writeFile(join(folder, "file"), "");
        const notFolder = `Data folder ${join(folder, "file", "new")} cannot be written (ENOTDIR): ${advice}`;
        assert.equal(fails('prepareDataFolder(folder + "/file/new");'), notFolder);
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
            assert.equal(message, `${file} cannot be used: it ${owner} ${folder}.`);
            await chmod(join(folder, "service.sqlite"), 0o666);
            assert.match(fails(`throw toServiceError(${error}, folder);`), /cannot be used: the disk cannot be /);
            await chmod(join(folder, "service.sqlite"), 0o600);
            await chown(join(folder, "service.sqlite"), nobody, nobody);
            assert.match(fails(`throw toServiceError(${error}, folder);`), /cannot be used: the disk cannot be /);
        });
    }
});
