import assert from "node:assert/strict";
import { realpathSync } from "node:fs";
import { chmod, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { isOnPath } from "../../../provider/src/program/is-on-path.js";
import { readOwnPackage } from "../../../provider/src/program/own-package.js";
import { withFolder, writeFiles } from "../../exporter/support/site-fixture.js";

describe("This package in a folder", () => {
    const find = (manifest: object) =>
        withFolder(async (folder) => {
            await writeFiles(folder, { "package.json": JSON.stringify(manifest) });
            return readOwnPackage(folder)?.version;
        });

    it("is found by its name, with or without the scope of its owner", async () => {
        for (const name of ["pulumi-static-export", "@acme/pulumi-static-export"]) {
            assert.equal(await find({ name, version: "1.2.3" }), "1.2.3");
        }
    });

    it("is not found in a folder of another package, or of none", async () => {
        for (const name of [
            "x-pulumi-static-export",
            "pulumi-static-export-x",
            "@a/b/pulumi-static-export",
            undefined,
        ]) {
            assert.equal(await find({ name, version: "1.2.3" }), undefined);
        }
        assert.equal(await find({ name: "pulumi-static-export" }), undefined);
        assert.equal(await withFolder((folder) => Promise.resolve(readOwnPackage(folder))), undefined);
    });

    it("has the folder without links", async function () {
        if (process.platform === "win32") {
            this.skip();
        }
        await withFolder(async (folder) => {
            const manifest = JSON.stringify({ name: "pulumi-static-export", version: "1.2.3" });
            await writeFiles(join(folder, "real"), { "package.json": manifest });
            await symlink("real", join(folder, "link"));
            assert.equal(readOwnPackage(join(folder, "link"))?.folder, realpathSync(join(folder, "real")));
        });
    });
});

describe("A command on PATH", () => {
    it("is found in any of the folders if it may be executed", async function () {
        if (process.platform === "win32") {
            this.skip();
        }
        await withFolder(async (folder) => {
            await writeFiles(folder, { "bin/tool": "", "bin/text": "" });
            await chmod(join(folder, "bin/tool"), 0o755);
            const env = { PATH: [join(folder, "other"), join(folder, "bin")].join(delimiter) };
            assert.equal(isOnPath("tool", env), true);
            assert.equal(isOnPath("text", env), false);
            assert.equal(isOnPath("missing", env), false);
            assert.equal(isOnPath("tool", {}), false);
        });
    });
});
