import assert from "node:assert/strict";
import { noteOnLostBackslash } from "../../../cli/src/command-line/lost-backslash.js";

describe("The note on a backslash that PowerShell turned into a quote", () => {
    it("names the word that contains the quote", () => {
        const words = ["publish", 'my site" --to file:///C:/docs'];
        assert.match(
            noteOnLostBackslash(words, "win32")!,
            /received the word my site" --to .* Leave out the backslash/,
        );
    });

    it("is missing without a quote, and where names may contain quotes", () => {
        assert.equal(noteOnLostBackslash(["publish", "my site\\"], "win32"), undefined);
        assert.equal(noteOnLostBackslash(["publish", 'my "site"'], "linux"), undefined);
    });
});
