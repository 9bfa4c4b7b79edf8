import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findDamagedFiles } from "../../../cli/src/doctor/find-damaged-files.js";

describe("A damaged file of a Pulumi program", () => {
    let folder: string;
    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "damaged-file-"));
    });
    afterEach(() => rm(folder, { recursive: true }));

    const find = async (settings: string, manifest?: string) => {
        await writeFile(join(folder, "Pulumi.yaml"), settings);
        if (manifest !== undefined) {
            await writeFile(join(folder, "package.json"), manifest);
        }
        return findDamagedFiles(join(folder, "Pulumi.yaml"), folder);
    };

    it("is named with the place of the mistake: Pulumi.yaml", async () => {
        const [finding] = await find("name: x\nruntime: [nodejs\n");
        assert.equal(finding?.status, "error");
        assert.match(finding.found, /Pulumi\.yaml cannot be read: .+ at line [23], column \d+$/);
    });

    it("is named with the place of the mistake: package.json", async () => {
        const [finding] = await find("name: x\nruntime: nodejs\n", '{"name": "r", ');
        assert.match(finding?.found ?? "", /package\.json cannot be read: .+JSON/);
    });

    it("is named with another damaged one", async () => {
        assert.equal((await find("name: [\n", "{")).length, 2);
    });

    it("is not reported for files that parse, or that do not exist", async () => {
        assert.deepEqual(await find("name: x\nruntime: nodejs\n"), []);
        assert.deepEqual(await find("", "\uFEFF{}"), []);
    });

    it("is not reported for a second document of YAML, which Pulumi ignores", async () => {
        assert.deepEqual(await find("name: x\n---\nname: y\n"), []);
    });
});
