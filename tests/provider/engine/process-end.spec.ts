import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { ProcessEnd } from "../../../provider/src/engine/process-end.js";

describe("the handler for the end of this process", () => {
    let raised: string[];
    let end: ProcessEnd;
    let events: EventEmitter;
    beforeEach(() => {
        raised = [];
        events = new EventEmitter();
        end = new ProcessEnd((signal) => raised.push(signal), events);
    });

    it("has no listener while there is nothing to finish or clean up", async () => {
        const listeners = () => events.listenerCount("SIGINT") + events.listenerCount("exit");
        const before = listeners();
        const takeBack = end.onEnd(() => undefined);
        assert.equal(listeners(), before + 2);
        await end.finish(() => Promise.resolve());
        assert.equal(listeners(), before + 2);
        takeBack();
        assert.equal(listeners(), before);
        await end.finish(() => Promise.resolve());
        assert.equal(listeners(), before);
    });

    it("raises the received signal after unfinished work and the clean-up", async () => {
        const order: string[] = [];
        end.onEnd(() => order.push(`cleaned up, ${raised.length} raised`));
        await end.finish(async () => {
            events.emit("SIGTERM", "SIGTERM");
            assert.match(String(end.signal.reason), /interrupted by SIGTERM/);
            await Promise.resolve();
            order.push("finished");
        });
        assert.deepEqual(order, ["finished", "cleaned up, 0 raised"]);
        assert.deepEqual(raised, ["SIGTERM"]);
    });

    it("ends the process even if unfinished work or the clean-up fails", async () => {
        end.onEnd(() => {
            throw new Error("clean-up");
        });
        const work = end.finish(() => {
            events.emit("SIGINT", "SIGINT");
            return Promise.reject(new Error("work"));
        });
        await assert.rejects(work, /work/);
        assert.deepEqual(raised, ["SIGINT"]);
    });

    it("ends the process on request, without reporting an interruption", async () => {
        let ended = 0;
        end.onInterruption(() => assert.fail("interrupted"));
        await end.finish(() => {
            end.request(new Error("gone"), () => ended++);
            assert.equal(ended, 0);
            return Promise.resolve();
        });
        assert.equal(ended, 1);
        assert.deepEqual(raised, []);
    });
});
