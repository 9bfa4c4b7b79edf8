import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeSystemError } from "../../../cli/src/command-line/system-error.js";

const nobody = 65_534;
const module = new URL("../../../cli/dist/command-line/system-error.js", import.meta.url).href;

describe("An error of a file that another user owns", function () {
    let folder: string;
    before(async function () {
        if (process.getuid?.() !== 0) {
            this.skip();
        }
        folder = await mkdtemp(join(tmpdir(), "system-error-"));
        await chmod(folder, 0o755);
        await mkdir(join(folder, "data"), { mode: 0o700 });
        await writeFile(join(folder, "key"), "", { mode: 0o600 });
    });
    after(() => folder && rm(folder, { recursive: true }));

    /** Reads a file as another user. */
    const read = (name: string): string => {
        const path = JSON.stringify(join(folder, name));
        const script =
            `import { describeSystemError } from ${JSON.stringify(module)}; import { readFileSync } from "node:fs";` +
            `process.setuid(${nobody}); try { readFileSync(${path}); } catch (error) { console.log(describeSystemError(error)); }`;
        return execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }).trim();
    };

    it("names the owner and the user of the process", () => {
        assert.equal(
            read("key"),
            `${join(folder, "key")} cannot be used (EACCES): it belongs to root, and this process runs as user ` +
                `${nobody}: change its owner or permissions, or choose another place.`,
        );
    });

    it("names the folder if the process may not look into it", () => {
        assert.match(read("data/service.sqlite"), /: the folder \S+\/data belongs to root, and this process runs as/);
    });

    it("names no owner if the file is the user's own", () => {
        const error = { code: "EACCES", syscall: "open", path: join(folder, "key") };
        assert.match(describeSystemError(error) ?? "", /: this user has no permission there: choose another place/);
    });
});
