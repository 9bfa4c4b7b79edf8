import assert from "node:assert/strict";
import { Turnstile } from "../../../provider/src/mirror/turnstile.js";

describe("Turnstile", () => {
    it("lets no more tasks run at once than it has places, and all of them run", async () => {
        const turnstile = new Turnstile(2);
        let running = 0;
        let most = 0;
        const results = await Promise.all(
            Array.from({ length: 7 }, (_, index) =>
                turnstile.pass(async () => {
                    most = Math.max(most, ++running);
                    await new Promise((resolve) => setImmediate(resolve));
                    running -= 1;
                    return index;
                }),
            ),
        );
        assert.equal(most, 2);
        assert.deepEqual(results, [0, 1, 2, 3, 4, 5, 6]);
    });

    it("gives a place back when a task fails", async () => {
        const turnstile = new Turnstile(1);
        await assert.rejects(turnstile.pass(() => Promise.reject(new Error("broken"))), /broken/);
        assert.equal(await turnstile.pass(() => Promise.resolve("next")), "next");
    });
});
