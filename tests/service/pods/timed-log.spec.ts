import assert from "node:assert/strict";
import { TimedLog } from "../../../service/src/pods/timed-log.js";

const time = (second: number) => `2026-11-27T00:00:0${second}.000000001Z`;
const whole = [
    ...[`${time(1)} a b`, `${time(2)} `, `${time(2)} same time`, "failed to watch file: too many open files"],
    `${time(3)} no end`,
].join("\n");
const text = "a b\n\nsame time\nfailed to watch file: too many open files\nno end";

describe("A log with times", () => {
    it("is returned without them, however it is cut into parts", () => {
        for (const size of [1, 7, 31, 32, 33, 1000]) {
            const newPartOf = new TimedLog().begin();
            const parts = whole.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
            assert.equal(parts.map((part) => newPartOf(Buffer.from(part)).toString()).join(""), text);
        }
    });

    it("is returned once, wherever an earlier reading of it was cut off", () => {
        for (let end = 0; end <= whole.length; end += 1) {
            const log = new TimedLog();
            const parts = [whole.slice(0, end), whole, `${whole}, later`];
            const added = parts.map((part) => log.begin()(Buffer.from(part)).toString());
            assert.equal(added.join(""), `${text}, later`, `cut off after ${end} bytes`);
        }
    });

    it("goes on where it begins later than before", () => {
        const log = new TimedLog();
        log.begin()(Buffer.from(`${time(1)} a long line\n${time(2)} b\n`));
        assert.equal(
            log
                .begin()(Buffer.from(`${time(2)} b\n${time(3)} c\n`))
                .toString(),
            "c\n",
        );
        assert.equal(
            log
                .begin()(Buffer.from(`${time(4)} d\n`))
                .toString(),
            "d\n",
        );
    });

    it("has every line although the node's clock was set back", () => {
        const log = new TimedLog();
        const backwards = `${time(5)} a\n${time(2)} b\n`;
        assert.equal(log.begin()(Buffer.from(backwards)).toString(), "a\nb\n");
    });
});
