import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkWords, findHabits } from "../../../dev/plain-words/check.js";
import { habits } from "../../../dev/plain-words/habits.js";
import { proseOf } from "../../../dev/plain-words/prose.js";

describe("The list of phrases to avoid", () => {
    for (const { advice, found, leftAlone } of habits) {
        it(`matches its examples, and ignores correct uses: ${advice}`, () => {
            for (const text of found) {
                assert.deepEqual(
                    findHabits(text).filter((message) => message.endsWith(`: ${advice}.`)).length,
                    1,
                    text,
                );
            }
            for (const text of leftAlone) {
                assert.deepEqual(findHabits(text), [], text);
            }
        });
    }
});

describe("The text that is checked in a file", () => {
    it("is an entire Markdown page except its code", () => {
        const page = "# Title\n\nSee `a stands b` [here](stands.md).\n\n```bash\n# stands\n```\n\nEnd.\n";
        assert.deepEqual(proseOf("a.md", page).filter(Boolean), ["# Title", "See `…` [here].", "End."]);
    });

    it("consists of the comments in a program", () => {
        const program = '/** One. */\nconst stands = "// no";\n/*\n * Two.\n */\ncall(); // Three.\n';
        assert.deepEqual(proseOf("a.ts", program).filter(Boolean), ["One.", "Two.", "Three."]);
    });

    it("includes the titles of a spec", () => {
        const spec = 'describe("A key", () => {\n    it("is read once", () => {\n        call("x");\n';
        assert.deepEqual(proseOf("a.spec.ts", spec).filter(Boolean), ["A key", "is read once"]);
        assert.deepEqual(proseOf("a.ts", spec).filter(Boolean), []);
    });

    it("includes the messages of a program, but not the strings of test helpers", () => {
        const program = 'throw new Error("it is no list of pages");\ncall("a b c");\n';
        assert.deepEqual(proseOf("a.ts", program).filter(Boolean), ["it is no list of pages"]);
        assert.deepEqual(proseOf("tests/support/a.ts", program).filter(Boolean), []);
        const template = '{{/* One. */}}\n{{- fail "two is no list of pages" }}\n';
        assert.deepEqual(proseOf("a.tpl", template).filter(Boolean), ["One. */}}", "two is no list of pages"]);
    });
});

describe("The check for new phrases", () => {
    let folder: string;
    const git = (...args: string[]) =>
        execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: folder });
    const write = (file: string, text: string) => {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), text);
    };

    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "static-export-words-"));
        git("init", "-q", "-b", "main");
        write("a.md", "The key stands here.\n");
        git("add", ".");
        git("commit", "-qm", "Start");
        git("checkout", "-qb", "change");
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("reports the file and line of a phrase that a branch adds, whether committed or not", () => {
        write("a.md", "The key stands here.\n\nIt mends the table.\n");
        const message = 'a.md:3: "mends": say "fix" or "repair".';
        assert.deepEqual(checkWords(folder), [message]);
        git("commit", "-qam", "Change");
        assert.deepEqual(checkWords(folder), [message]);
    });

    it("does not read links to folders", () => {
        mkdirSync(join(folder, "library"));
        symlinkSync("library", join(folder, "link"));
        git("add", "-A");
        assert.deepEqual(checkWords(folder), []);
    });

    it("accepts existing lines, even if they moved or their file was renamed", () => {
        write("a.md", "Before.\n\nThe key stands here.\n");
        renameSync(join(folder, "a.md"), join(folder, "b.md"));
        git("add", "-A");
        assert.deepEqual(checkWords(folder), []);
    });
});
