import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { EngineWatch } from "../../provider/src/engine-watch.js";

describe("the watch over the engine", () => {
    let engine: Server;
    let address: string;
    let gone: number;
    beforeEach(async () => {
        gone = 0;
        engine = createServer().listen(0, "127.0.0.1");
        await once(engine, "listening");
        address = `127.0.0.1:${(engine.address() as AddressInfo).port}`;
    });
    afterEach(() => engine.close());

    const watchOf = (engineAddress: string | undefined) => new EngineWatch(engineAddress, () => gone++);

    it("lets a wait end while the engine lives", async () => {
        assert.equal(await watchOf(address).whileAlive(() => Promise.resolve("done")), "done");
        assert.equal(gone, 0);
    });

    it("tells that the engine is gone before a wait hands anything over", async () => {
        engine.close();
        await once(engine, "close");
        await watchOf(address).whileAlive(() => Promise.resolve());
        assert.equal(gone, 1);
    });

    it("passes a failed wait on", async () => {
        await assert.rejects(watchOf(address).whileAlive(() => Promise.reject(new Error("deadline"))), /deadline/);
        assert.equal(gone, 0);
    });

    it("lets what must be finished finish, and tells after it that the engine is gone", async () => {
        const watch = watchOf(address);
        const done = await watch.finish(async () => {
            engine.close();
            await once(engine, "close");
            await watch.whileAlive(() => Promise.resolve());
            assert.equal(gone, 0);
            return "started";
        });
        assert.equal(done, "started");
        assert.equal(gone, 1);
    });

    it("begins nothing that would have to be finished once the engine is gone", async () => {
        engine.close();
        await once(engine, "close");
        await assert.rejects(watchOf(address).finish(() => assert.fail()), /engine is gone: nothing was started/);
        assert.equal(gone, 1);
    });

    for (const signal of ["SIGINT", "SIGTERM"] as const) {
        it(`lets what must be finished finish after ${signal}, which ends the process then`, async () => {
            const listeners = process.listenerCount(signal);
            const done = await watchOf(address).finish(() => {
                process.emit(signal);
                assert.equal(gone, 0);
                return Promise.resolve("started");
            });
            assert.equal(done, "started");
            assert.equal(gone, 1);
            assert.equal(process.listenerCount(signal), listeners);
        });
    }

    it("says nothing after what had to be finished while the engine lives", async () => {
        await watchOf(address).finish(() => Promise.resolve());
        assert.equal(gone, 0);
    });

    it("watches nothing where no engine is named", async () => {
        assert.equal(await watchOf(undefined).whileAlive(() => Promise.resolve("done")), "done");
        assert.equal(gone, 0);
    });
});
