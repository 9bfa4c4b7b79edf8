import assert from "node:assert/strict";
import { parseChangedFiles, parseCommitLog } from "../../../service/src/exports/commit-details.js";

describe("The details of a commit", () => {
    it("contain no characters that control a terminal", () => {
        const message = "Fix \u001b[31mtypos\u001b[0m\u0007\u009b2J\r\n\n\tand \u001b]0;title\u0007links";
        assert.deepEqual(parseCommitLog(`An\u001b[2Jn\0${message}`), {
            author: "Ann",
            message: "Fix typos\n\n\tand links",
        });
    });

    it("contain the message without the empty lines around it", () => {
        assert.deepEqual(parseCommitLog("Ann\0\nFix typos\n\n"), { author: "Ann", message: "Fix typos" });
    });

    it("contain the beginning of a long name and message", () => {
        const { author, message } = parseCommitLog(`${"a".repeat(300)}\0${"m".repeat(5000)}`);
        assert.deepEqual([author.length, message.length], [200, 4000]);
    });

    it("name added, removed and otherwise changed files, whatever their names contain", () => {
        const output = "A\0new.md\0M\0a file\n.md\0D\0old.md\0T\0link.md\0";
        assert.deepEqual(parseChangedFiles(output), {
            added: ["new.md"],
            modified: ["a file\n.md", "link.md"],
            removed: ["old.md"],
        });
        assert.deepEqual(parseChangedFiles(""), { added: [], modified: [], removed: [] });
    });

    it("name at most 1,000 files of each kind", () => {
        const output = Array.from({ length: 1001 }, (_, index) => `A\0${index}.md\0`).join("") + "D\0old.md\0";
        const { added, removed } = parseChangedFiles(output);
        assert.deepEqual([added.length, added.at(-1), removed], [1000, "999.md", ["old.md"]]);
    });
});
