import assert from "node:assert/strict";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { plainText, TerminalText } from "../../../service/src/dashboard/pages/shown-text.js";

const shown = (text: string): string => renderToString(h(TerminalText, { text }));

describe("The text of a log", () => {
    it("has the colours of the terminal", () => {
        assert.equal(
            shown("\u001b[1;31mfailed\u001b[0m in \u001b[92msrc\u001b[39m"),
            '<span class="bold ansi-1">failed</span> in <span class="ansi-2">src</span>',
        );
    });

    it("keeps tabs and lines", () => {
        assert.equal(shown("a\tb\r\nc"), "a\tb\nc");
    });

    it("shows the end of a line that overwrote itself", () => {
        assert.equal(shown("10 %\r50 %\rdone\nnext"), "done\nnext");
    });

    it("shows markup and invisible characters as text", () => {
        assert.equal(shown("<b>\u001b[31m<i>\u202e\u0007"), '&lt;b><span class="ansi-1">&lt;i>\ufffd\ufffd</span>');
    });

    it("has no escape sequences in a file", () => {
        assert.equal(plainText("\u001b[31mred\u001b[0m\u001b[2K\tend"), "red\tend");
    });
});
