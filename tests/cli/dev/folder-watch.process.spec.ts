import assert from "node:assert/strict";
import { renameSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FolderWatch } from "../../../cli/src/dev/folder-watch.js";
import { waitUntil } from "../../wait-until.js";

describe("A watched folder", () => {
    let parent: string;
    let root: string;
    let watch: FolderWatch;
    let changed: string[];
    const isSeen = () => waitUntil("a report about the folder", () => changed.includes(root));

    beforeEach(async () => {
        parent = await realpath(await mkdtemp(join(tmpdir(), "folder-watch-")));
        root = join(parent, "docs");
        await mkdir(root);
        changed = [];
        watch = new FolderWatch(root, (paths) => void changed.push(...paths));
    });
    afterEach(async () => {
        watch.close();
        await rm(parent, { recursive: true });
    });

    const assertWatched = async () => {
        changed = [];
        await writeFile(join(root, "new.md"), "# New");
        await waitUntil("a report about the file", () => changed.includes(join(root, "new.md")));
    };

    it("is watched again if another folder takes its place at once, as git checkout does", async () => {
        await mkdir(join(parent, "next"));
        // Synchronously, so that the watch cannot look while there is no folder.
        rmSync(root, { recursive: true });
        renameSync(join(parent, "next"), root);
        await isSeen();
        await assertWatched();
    });

    it("reports the hidden files that decide about a site, and no other hidden files", async () => {
        const files = [".mintignore", ".gitbook.yaml"].map((name) => join(root, name));
        for (const file of [join(root, ".env"), ...files]) {
            await writeFile(file, "a");
        }
        await waitUntil("a report about both files", () => files.every((file) => changed.includes(file)));
        assert.equal(changed.includes(join(root, ".env")), false);
        changed = [];
        await Promise.all(files.map((file) => rm(file)));
        await waitUntil("a report about both removed files", () => files.every((file) => changed.includes(file)));
    });

    it("reports its removal, and is watched again when it is back", async () => {
        await rm(root, { recursive: true });
        await isSeen();
        changed = [];
        await mkdir(root);
        await isSeen();
        await assertWatched();
    });
});
