import assert from "node:assert/strict";
import { createProgressDisplay } from "../../../cli/src/export/progress-display.js";

const job = (status: string, progress?: number, pageCount?: number) => ({
    status,
    ...(progress === undefined ? {} : { progress }),
    ...(pageCount === undefined ? {} : { pageCount }),
});

/** Returns the output of a display that shows these jobs at these times, in seconds. */
function written(
    screen: { isTTY?: boolean; columns?: number },
    env: NodeJS.ProcessEnv,
    seen: readonly (readonly [number, ReturnType<typeof job>])[],
    firstLineMs = 0,
): string {
    let text = "";
    let nowMs = 0;
    const display = createProgressDisplay({ ...screen, write: (part) => (text += part) }, env, {
        nowMs: () => nowMs,
        firstLineMs,
    });
    for (const [seconds, each] of seen) {
        nowMs = seconds * 1000;
        display.show("se_42", each);
    }
    return text;
}

const terminal = { isTTY: true, columns: 100 };
const seen = [
    [0, job("queued")],
    [10, job("running", 0, 0)],
    [14, job("running", 25, 100)],
    [18, job("running", 50, 200)],
] as const;

describe("The progress display of an export", () => {
    it("is one terminal line with a bar, the pages, their rate since the start, and the time left", () => {
        const lines = written(terminal, { NO_COLOR: "1" }, seen).split("\r\u001b[K");
        assert.deepEqual(lines.slice(1), [
            "[------------------------]      se_42 queued",
            "[------------------------]   0% se_42 running  0 pages",
            "[######------------------]  25% se_42 running  100 pages, 25/s, 12 s left",
            "[############------------]  50% se_42 running  200 pages, 25/s, 8 s left",
        ]);
    });

    it("is coloured, unless NO_COLOR is set", () => {
        const cyan = "\u001b[36m";
        assert.ok(written(terminal, {}, seen).includes(`${cyan}${"#".repeat(12)}\u001b[39m${"-".repeat(12)}`));
        assert.ok(!written(terminal, { NO_COLOR: "1" }, seen).includes(cyan));
    });

    it("prints nothing without a terminal if the export ends within the given time", () => {
        assert.equal(written({}, {}, seen, 60_000), "");
        assert.match(written({}, {}, seen, 12_000), /^se_42: running, 25%.*\n$/);
    });

    it("fits into a narrow terminal, because a second line could not be cleared", () => {
        const lines = written({ isTTY: true, columns: 40 }, { NO_COLOR: "1" }, seen).split("\r\u001b[K");
        assert.ok(
            lines.every((line) => line.length < 40),
            lines.join("\n"),
        );
    });

    it("prints a plain line for each status and every half minute without a terminal or in a dumb terminal", () => {
        const long = [...seen, [41, job("running", 60, 240)], [42, job("completed", 100, 400)]] as const;
        const lines = [
            "se_42: queued",
            "se_42: running, 0%, 0 pages",
            "se_42: running, 60%, 240 pages, 7.7/s, 21 s left",
            "se_42: completed, 100%, 400 pages, 13/s",
            "",
        ];
        assert.deepEqual(written({}, {}, long).split("\n"), lines);
        assert.deepEqual(written(terminal, { TERM: "dumb" }, long).split("\n"), lines);
    });

    it("shows no rate and no time left for a job without progress", () => {
        assert.equal(
            written({}, {}, [
                [0, job("running")],
                [60, job("running")],
            ]),
            "se_42: running\nse_42: running\n",
        );
    });
});
