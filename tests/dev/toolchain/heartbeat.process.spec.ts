import assert from "node:assert/strict";
import { formatDuration, withHeartbeat } from "../../../dev/toolchain/src/running/heartbeat.js";

describe("withHeartbeat", () => {
    const texts = { started: "baking", ended: "Baked" };

    it("reports progress at intervals, and the duration at the end", async () => {
        const lines: string[] = [];
        let minutes = 0;
        let finish: (cake: string) => void;
        const work = new Promise<string>((resolve) => {
            finish = resolve;
        });
        const report = (line: string) => {
            lines.push(line);
            if (lines.length === 2) {
                finish("cake");
            }
        };

        const now = () => 60_000 * minutes++;
        assert.equal(await withHeartbeat(texts, { report, intervalMs: 1, now }, () => work), "cake");
        assert.deepEqual(lines.slice(0, 2), ["Still baking (1 min so far).", "Still baking (2 min so far)."]);
        assert.match(lines.at(-1)!, /^Baked in \d min\.$/);
    });

    it("reports no duration if the work fails", async () => {
        const lines: string[] = [];
        const failing = withHeartbeat(texts, { report: (line) => lines.push(line) }, () =>
            Promise.reject(new Error("burnt")),
        );
        await assert.rejects(failing, /burnt/);
        assert.deepEqual(lines, []);
    });
});

describe("formatDuration", () => {
    for (const [durationMs, text] of [
        [0, "0 s"],
        [29_400, "29 s"],
        [59_600, "1 min"],
        [90_000, "1 min 30 s"],
        [210_000, "3 min 30 s"],
    ] as const) {
        it(`formats ${durationMs} ms as ${text}`, () => assert.equal(formatDuration(durationMs), text));
    }
});
