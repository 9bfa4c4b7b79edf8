import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { JournalFiles } from "../../../../provider/src/engine/journal/journal-files.js";

describe("The files of the journal", () => {
    let folder: string;
    let problems: string[];
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "static-export-journal-"));
        problems = [];
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    const open = (place: string | undefined = folder): JournalFiles =>
        new JournalFiles(place, { report: (problem) => problems.push(problem), now: Date.now, isDone: () => false });
    const nowhere = (): JournalFiles =>
        new JournalFiles(undefined, {
            report: (problem) => problems.push(problem),
            now: Date.now,
            isDone: () => false,
        });

    it("show what another process has written, replaced or removed since", async () => {
        const [one, other] = [open(), open()];
        await one.write("a.json", 1);
        await one.overwrite("b.json", 1);
        assert.equal(await one.create("c.json", 1), true);
        for (const name of ["a.json", "b.json", "c.json"]) {
            await other.write(name, 2);
            assert.equal(await one.read(name), 2);
            await other.remove(name);
            assert.equal(await one.read(name), undefined);
        }
        assert.deepEqual(await one.list(""), []);
    });

    it("are created once, also by one process", async () => {
        const files = open();
        assert.deepEqual([await files.create("a.json", 1), await files.create("a.json", 2)], [true, false]);
        assert.equal(await open().create("a.json", 3), false);
        assert.equal(await files.read("a.json"), 1);
    });

    it("keep their length in place, and are removed at once when a process exits", async () => {
        const files = open();
        await files.overwrite("alive.json", { beat: 1 });
        await files.overwrite("alive.json", { beat: 2 });
        assert.equal(readFileSync(join(folder, "alive.json"), "utf8"), '{"beat":2}');
        files.removeNow("alive.json");
        files.removeNow("missing.json");
        assert.deepEqual(readdirSync(folder), []);
        await files.remove("missing.json");
        assert.deepEqual(problems, []);
    });

    it("list names that begin with a prefix, and no drafts", async () => {
        const files = open();
        await files.write("a.1.json", 1);
        await files.write("b.1.json", 1);
        writeFileSync(join(folder, "a.2.json.x.draft"), "");
        assert.deepEqual(await files.list("a."), ["a.1.json"]);
        assert.deepEqual(await open(join(folder, "missing")).list(""), []);
    });

    it("keep other programs' files of any age", async () => {
        writeFileSync(join(folder, "notes.txt"), "");
        writeFileSync(join(folder, "a.json.backup"), "");
        const late = new JournalFiles(folder, {
            report: assert.fail,
            now: () => Date.now() + 30 * 24 * 3600_000,
            isDone: () => true,
        });
        writeFileSync(join(folder, "old.json"), "1");
        await late.write("new.json", 1);
        assert.deepEqual(readdirSync(folder).sort(), ["a.json.backup", "new.json", "notes.txt"]);
    });

    for (const [where, place] of [
        ["without a folder", nowhere],
        ["in a place that is a file", () => open(join(folder, "file", "below"))],
    ] as const) {
        it(`live in memory ${where}, until they are removed`, async () => {
            writeFileSync(join(folder, "file"), "");
            const files = place();
            await files.write("a.json", 1);
            await files.overwrite("b.json", 1);
            assert.deepEqual([await files.create("c.json", 1), await files.create("c.json", 2)], [true, false]);
            assert.deepEqual((await files.list("")).sort(), ["a.json", "b.json", "c.json"]);
            assert.deepEqual([await files.read("a.json"), await files.read("c.json")], [1, 1]);
            await files.remove("a.json");
            files.removeNow("b.json");
            assert.deepEqual(await files.list(""), ["c.json"]);
            assert.deepEqual([await files.read("a.json"), await files.read("b.json")], [undefined, undefined]);
            assert.equal(problems.length, 1);
        });
    }

    it("say that there is no home folder", async () => {
        await nowhere().write("a.json", 1);
        assert.match(problems.join(), /there is no home folder for the journal/);
    });

    it("are not lost if a folder has the name of one", async () => {
        const files = open();
        mkdirSync(join(folder, "a.json", "x"), { recursive: true });
        await files.write("a.json", 1);
        assert.equal(await files.read("a.json"), 1);
        assert.equal(existsSync(join(folder, "a.json", "x")), true);
        rmSync(join(folder, "a.json"), { recursive: true });
        await files.write("a.json", 2);
        await open().write("a.json", 3);
        assert.equal(await files.read("a.json"), 3);
        assert.deepEqual(readdirSync(folder), ["a.json"], "no draft is left");
    });
});
