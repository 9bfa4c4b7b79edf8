import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { compileWorkspaces } from "../../../dev/toolchain/compile.mjs";

describe("the compilation of the workspaces", function () {
    this.timeout(60_000);
    let root: string;

    const write = (file: string, text: string) => writeFile(path.join(root, file), text);
    const read = (file: string) => readFile(path.join(root, file), "utf8");
    const touch = (file: string) => {
        const later = new Date(Date.now() + 60_000);
        return utimes(path.join(root, file), later, later);
    };
    const writeWorkspace = async (name: string, type: string) => {
        await mkdir(path.join(root, name, "src"), { recursive: true });
        const exports = { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } };
        await write(`${name}/package.json`, JSON.stringify({ type, exports }));
        const compilerOptions = { module: "nodenext", target: "es2022", rootDir: "src", outDir: "dist" };
        await write(`${name}/tsconfig.json`, JSON.stringify({ compilerOptions, include: ["src"] }));
        await write(`${name}/src/index.ts`, "export function one(): number { return 1; }\n");
    };

    beforeEach(async () => {
        root = await mkdtemp(path.join(tmpdir(), "static-export-compile-"));
        await write("package.json", JSON.stringify({ workspaces: ["library", "program"] }));
        await writeWorkspace("library", "commonjs");
        await writeWorkspace("program", "module");
    });
    afterEach(() => rm(root, { recursive: true }));

    it("preserves the layout of a library's functions, because users' states contain these functions", async () => {
        assert.equal(await compileWorkspaces(root), true);
        assert.match(await read("library/dist/index.js"), /exports\.one = one;\nfunction one\(\) \{ return 1; \}\n/);
        assert.match(await read("program/dist/index.js"), /export \{\n {2}one\n\};\n/);
    });

    it("recompiles only changed workspaces", async () => {
        await compileWorkspaces(root);
        await write("program/dist/index.js", "kept");
        await write("library/src/index.ts", "export const two = 2;\n");
        await touch("library/src/index.ts");
        await compileWorkspaces(root);
        assert.match(await read("library/dist/index.js"), /exports\.two = 2;/);
        assert.equal(await read("program/dist/index.js"), "kept");
    });

    it("recompiles all workspaces after a change of what one of them exports", async () => {
        await compileWorkspaces(root);
        await write("program/dist/index.js", "imports a place that the library no longer has");
        await touch("library/package.json");
        await compileWorkspaces(root);
        assert.match(await read("program/dist/index.js"), /function one/);
    });

    it("makes type checks of other workspaces read the sources", async () => {
        await compileWorkspaces(root);
        assert.equal(await read("program/dist/index.d.ts"), 'export * from "../src/index.js";\n');
    });

    it("redirects all type checks to the sources again when a workspace changes after packing", async () => {
        await compileWorkspaces(root);
        await write("program/dist/index.d.ts", "export declare function one(): number;\n");
        await touch("library/src/index.ts");
        await compileWorkspaces(root);
        assert.equal(await read("program/dist/index.d.ts"), 'export * from "../src/index.js";\n');
    });

    for (const workspace of ["library", "program"]) {
        it(`reports that a ${workspace} does not compile`, async () => {
            await write(`${workspace}/src/index.ts`, "export const one = ;\n");
            assert.equal(await compileWorkspaces(root), false);
        });
    }
});
