import assert from "node:assert/strict";

/** Texts that are repeated to make expressions and parsers try the same characters again and again. */
export const hostileUnits: readonly string[] = [
    ...["a", "A", "1", "é", "漢", "😀", "\u202e", "\u2028", "\0", "\uFDD1"],
    ...[" ", "\t", "\n", "\r", " \n", "\r\n", "\t\r", "\\", "\\n", '\\\\"'],
    ...['"', "'", "`", "``", "<", "<a ", '<a b="', "<!--", "<!-- -->", "</a>", "<p>", "<style>", "<svg", "<path "],
    ...["/*", "*/", "//", "{", "{{", "{}", "}", "[", "]", "[a](", "![", "(", ")", "{/*", "a{", "html{display:none}"],
    ...[
        "#",
        "# ",
        "- ",
        "> ",
        "1. ",
        "|",
        "|a",
        "---\n",
        "~~~\n",
        "key: ",
        "key: a\n",
        "a: b: ",
        "&a ",
        "*a ",
        "_",
        "**",
    ],
    ...[
        "/",
        "/a",
        "../",
        "./",
        ":",
        "://",
        "http://",
        "http://a ",
        "www.",
        ":a",
        "?",
        "*",
        "**/",
        "%",
        "%41",
        "&",
        "&#",
    ],
    ...["$", "${", "=", 'a="', "-", "--", "~", "^", ";", ",", "!", "@", "+", "url(", "@import ", ":~:", "8<"],
    ...[
        "export const a = 1\n",
        "export \n",
        'import a from "b"\n',
        "<b>\n\n",
        "-----BEGIN ",
        "password=",
        "eyJ",
        "ftp",
    ],
    ...["\u001b", "\u001b[", "\u001b]", "\u001b[31m", "\u001b[1;", "\u009b", "\r "],
];

export function repeated(unit: string, size: number): string {
    return unit.repeat(Math.ceil(size / unit.length)).slice(0, size);
}

/** Twice the text takes four times as long if the work is quadratic. */
const maxGrowth = 2.3;
/** What garbage collection and other programs on the same core add to a measurement. */
const noiseMs = 50;
const attempts = 6;

/**
 * Compares the CPU time of a text with that of its half. Quadratic work slows down every attempt; a busy machine slows
 * down only some.
 *
 * @param options.enoughMs less is not compared: quadratic work on a text of this size takes more
 */
export async function assertLinear(
    run: (text: string) => unknown,
    unit: string,
    { size, enoughMs }: { size: number; enoughMs: number },
): Promise<void> {
    const [half, whole] = [repeated(unit, size / 2), repeated(unit, size)];
    let [halfMs, wholeMs] = [Infinity, Infinity];
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
        wholeMs = Math.min(wholeMs, await costMs(run, whole));
        if (wholeMs < enoughMs) {
            return;
        }
        halfMs = Math.min(halfMs, await costMs(run, half));
        if (wholeMs < maxGrowth * halfMs + noiseMs) {
            return;
        }
    }
    assert.fail(`${JSON.stringify(unit)}: ${size} characters take ${wholeMs} ms, half of them ${halfMs} ms`);
}

async function costMs(run: (text: string) => unknown, text: string): Promise<number> {
    const before = process.cpuUsage();
    await run(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
}
