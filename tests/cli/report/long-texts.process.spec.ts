import assert from "node:assert/strict";
import { code, codeBlock, createWriter } from "../../../cli/src/report/writer.js";
import { createCleaner } from "../../../cli/src/report/clean-text.js";
import { collectDiagnostics } from "../../../cli/src/preview/log/diagnostics.js";
import { scaled } from "../../scale.js";

const clean = createCleaner(["t0ken-of-the-check"]);
const writer = createWriter(clean);

/** The functions that text from a log passes through on its way to a comment. */
const functions: Record<string, (text: string) => unknown> = {
    "a cleaner, for one line": (text) => clean(text),
    "a cleaner, for a block": (text) => clean(text, { characters: 4000, lines: 40 }),
    "a writer of code": (text) => writer.code(text),
    "a writer of messages": (text) => writer.message(text),
    "a writer of blocks": (text) => writer.block(text),
    "inline code": code,
    "a code block": codeBlock,
    "the messages of a preview": (text) =>
        collectDiagnostics([
            { sequence: 1, timestamp: 1, diagnosticEvent: { severity: "error", message: text } } as never,
        ]),
};

/** Strings that could make a pattern scan the same text again from every position. */
const parts = [
    ...[
        "a.",
        "a",
        "a+",
        "://",
        "a://",
        "a://b",
        "@",
        "?",
        "a:b@",
        "eyJ-",
        "eyJa.",
        "eyJaaaaaaaa.",
        "token",
        "token ",
        "token=",
    ],
    ...[
        "Bearer ",
        "-----BEGIN A",
        "-----BEGIN A-----",
        "-----END A",
        "-----",
        "\u001b[",
        "\u001b]",
        "<{%",
        "%}>",
        " ",
        "\t",
        "\n",
    ],
    ...[
        "\n at ",
        "`",
        "|",
        "\u0317",
        "\u202e",
        "ghp_",
        "AKIA",
        "admin_",
        "exports.handler = __f0;",
        "😀",
        "/",
        "password: ",
    ],
];
const characters = scaled({ short: 200_000, long: 2_000_000 });
/** Doubling the text should double the time. Quadratic work on one of the strings takes minutes. */
const maxMilliseconds = 1000 + characters / 100;

describe("In a report with long hostile strings,", () => {
    for (const [what, read] of Object.entries(functions)) {
        it(`the time for ${what} is proportional to their length`, function () {
            this.timeout(maxMilliseconds * parts.length);
            for (const part of parts) {
                const text = part.repeat(Math.ceil(characters / part.length));
                const start = performance.now();
                read(text);
                const took = performance.now() - start;
                assert.ok(took < maxMilliseconds, `${JSON.stringify(part)} took ${took} ms`);
            }
        });
    }

    it("a known secret is never partly shown if a long string is truncated", () => {
        for (let before = 3900; before < 4010; before += 1) {
            const shown = clean(`${"x ".repeat(before / 2)}t0ken-of-the-check${"\u0001".repeat(10)}`, {
                characters: 200,
            });
            assert.doesNotMatch(shown, /t0k/);
        }
    });
});
