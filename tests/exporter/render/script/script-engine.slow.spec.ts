import assert from "node:assert/strict";
import { Engine, withEngine } from "../../../../exporter/src/render/script/script-engine.js";

/** Calls of built-in functions that take hours, and do not check the limits meanwhile. */
const endless = [
    "String(Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1))",
    'String("a".repeat(2e7).indexOf("a".repeat(1e7) + "b"))',
    "String(new Array(2 ** 32 - 1).includes(1))",
];

const elapsedMs = 100;
const started = () => withEngine(() => new Engine(0, () => '""', elapsedMs));

describe("the engine for a page's code", () => {
    for (const code of endless) {
        it(`stops ${code} when its time is over`, async () => {
            const engine = await started();
            assert.throws(() => engine.run(code), { message: "the page computes too much" });
            engine.dispose();
        });
    }

    it("runs no more code for a page whose time is over", async () => {
        const engine = await started();
        assert.throws(() => engine.run(String(endless[0])));
        assert.throws(() => engine.run('"a"'), { message: "the page computes too much" });
        engine.dispose();
    });

    it("is loaded again for the next page", async () => {
        const first = await started();
        assert.throws(() => first.run(String(endless[0])));
        const second = await started();
        first.dispose();
        assert.equal(second.run('"a".repeat(3)'), "aaa");
        second.dispose();
    });
});
