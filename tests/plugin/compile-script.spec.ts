import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileScript } from "../../plugin/src/compile-script.js";

describe("the compiled code of the plugin", () => {
    let folder: string;
    let file: string;

    beforeEach(async () => {
        folder = await mkdtemp(join(tmpdir(), "static-export-compiled-"));
        file = join(folder, "plugin.cjs");
        await writeFile(file, "exports.answer = 42;");
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    function answer(): unknown {
        const exports: Record<string, unknown> = {};
        (compileScript(file).script.runInThisContext() as (given: object) => void)(exports);
        return exports["answer"];
    }

    const saved = async () => (await readdir(folder)).filter((name) => name !== "plugin.cjs");

    it("is saved next to the script, and loaded at the next start", async () => {
        compileScript(file).save?.();
        assert.match((await saved()).join(), /^plugin\.cjs-[0-9a-f]{16}-\d+\.cache$/);
        assert.equal(compileScript(file).save, undefined);
        assert.equal(answer(), 42);
    });

    it("is not read after the script has changed, even if the new script has the same length", async () => {
        compileScript(file).save?.();
        await writeFile(file, "exports.answer = 43;");
        assert.notEqual(compileScript(file).save, undefined);
        assert.equal(answer(), 43);
    });

    it("is not read by another release of Node.js with the same V8, because Node.js would crash", () => {
        compileScript(file).save?.();
        const version = Object.getOwnPropertyDescriptor(process, "version")!;
        Object.defineProperty(process, "version", { ...version, value: "v20.19.0" });
        try {
            assert.notEqual(compileScript(file).save, undefined);
        } finally {
            Object.defineProperty(process, "version", version);
        }
        assert.equal(compileScript(file).save, undefined);
    });

    it("is compiled and saved again if its file is damaged", async () => {
        compileScript(file).save?.();
        const [cache = ""] = await saved();
        await writeFile(join(folder, cache), "damaged");
        assert.equal(answer(), 42);
        compileScript(file).save?.();
        assert.equal(compileScript(file).save, undefined);
    });

    it("causes no error if it cannot be saved", async () => {
        const { save } = compileScript(file);
        await rm(folder, { recursive: true });
        assert.doesNotThrow(() => save?.());
    });
});
