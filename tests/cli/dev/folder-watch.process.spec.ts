import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from "node:fs/promises";
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
        // While the folder is away for longer than a moment, only the folder is reported, and then watched again.
        await waitUntil("a report about the file", async () => {
            await writeFile(join(root, "new.md"), "# New");
            return changed.includes(join(root, "new.md"));
        });
    };

    it("is watched again if another folder takes its place at once, as git checkout does", async () => {
        await mkdir(join(parent, "next"));
        await rm(root, { recursive: true });
        await rename(join(parent, "next"), root);
        await isSeen();
        await assertWatched();
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
