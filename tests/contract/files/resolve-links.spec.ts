import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, parse, relative, toNamespacedPath } from "node:path";
import { resolveInside, resolveLinks } from "@pulumi-static-export/contract/resolve-links";

describe("The real path of a file", () => {
    let folder: string;
    beforeEach(async () => (folder = await realpath(await mkdtemp(join(tmpdir(), "resolve-links-")))));
    afterEach(() => rm(folder, { recursive: true }));

    it("is found on a disk where Windows cannot name the volume of an open file", () => {
        const native = () => {
            throw Object.assign(new Error("EISDIR: illegal operation on a directory"), { code: "EISDIR" });
        };
        assert.equal(resolveLinks(folder, native), folder);
    });

    it("has no prefix for long paths on Windows", () => {
        assert.equal(resolveLinks(toNamespacedPath(folder)), folder);
    });

    it("of a missing file is an error with its code", () => {
        assert.throws(() => resolveLinks(join(folder, "missing")), { code: "ENOENT" });
    });
});

describe("The real path of a file of a folder", () => {
    let folder: string;
    beforeEach(async () => (folder = await realpath(await mkdtemp(join(tmpdir(), "resolve-links-")))));
    afterEach(() => rm(folder, { recursive: true }));

    it("is found if the folder is a whole disk", () => {
        const { root } = parse(folder);
        assert.equal(resolveInside(root, relative(root, folder)), folder);
    });

    it("is undefined if a link leads out of the folder, or the file is named with ..", async () => {
        await mkdir(join(folder, "site"));
        await mkdir(join(folder, "site-2"));
        await symlink(join(folder, "site-2"), join(folder, "site", "link"), "junction");
        assert.equal(resolveInside(join(folder, "site"), "link"), undefined);
        assert.equal(resolveInside(join(folder, "site"), "../site-2"), undefined);
        assert.equal(resolveInside(folder, "site/link"), join(folder, "site-2"));
    });
});
