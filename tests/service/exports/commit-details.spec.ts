import assert from "node:assert/strict";
import { parseCommitLog } from "../../../service/src/exports/commit-details.js";

describe("The details of a commit", () => {
    it("contain no characters that control a terminal", () => {
        const message = "Fix \u001b[31mtypos\u001b[0m\u0007\u009b2J\r\n\n\tand \u001b]0;title\u0007links";
        assert.deepEqual(parseCommitLog(`An\u001b[2Jn\0${message}`), {
            author: "Ann",
            message: "Fix typos\n\n\tand links",
        });
    });
});
