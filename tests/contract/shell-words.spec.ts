import assert from "node:assert/strict";
import { shellWord } from "../../contract/src/shell-words.js";

describe("A word of a command that users copy", () => {
    for (const [text, posix, windows] of [
        ["docs/index.md", "docs/index.md", "docs/index.md"],
        ["my docs", "'my docs'", '"my docs"'],
        ["it's", String.raw`'it'\''s'`, `"it's"`],
    ] as const) {
        it(`is in the quotes of the system's shells: ${text}`, () => {
            assert.deepEqual([shellWord(text, "linux"), shellWord(text, "win32")], [posix, windows]);
        });
    }
});
