import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { createServer, type AddressInfo, type Server, Socket } from "node:net";
import { mock } from "node:test";
import { EngineWatch } from "../../../provider/src/engine/engine-watch.js";
import { ProcessEnd } from "../../../provider/src/engine/process-end.js";

describe("the engine watch", () => {
    let engine: Server;
    let address: string;
    let gone: number;
    let events: EventEmitter;
    beforeEach(async () => {
        gone = 0;
        events = new EventEmitter();
        engine = createServer().listen(0, "127.0.0.1");
        await once(engine, "listening");
        address = `127.0.0.1:${(engine.address() as AddressInfo).port}`;
    });
    afterEach(() => engine.close());

    let elapsedMs = 0;
    const watchOf = (engineAddress: string | undefined) =>
        new EngineWatch(engineAddress, {
            end: new ProcessEnd(() => gone++, events),
            exit: () => gone++,
            elapsedMs: () => elapsedMs,
        });

    it("lets a wait end while the engine is alive", async () => {
        assert.equal(await watchOf(address).whileAlive(() => Promise.resolve("done")), "done");
        assert.equal(gone, 0);
    });

    it("reports a lost engine before a wait returns its result", async () => {
        engine.close();
        await once(engine, "close");
        await watchOf(address).whileAlive(() => Promise.resolve());
        assert.equal(gone, 1);
    });

    it("does not consider the engine gone if this machine cannot open a connection", async () => {
        for (const code of ["EMFILE", "ENOBUFS", "ETIMEDOUT", "EADDRNOTAVAIL"]) {
            const watch = new EngineWatch(address, {
                end: new ProcessEnd(() => gone++, events),
                exit: () => gone++,
                connect: () => new Socket().destroy(Object.assign(new Error(code), { code })),
            });
            assert.equal(await watch.finish(() => Promise.resolve("started")), "started");
            assert.equal(watch.gone.aborted, false);
        }
        assert.equal(gone, 0);
    });

    it("passes on the error of a failed wait", async () => {
        await assert.rejects(
            watchOf(address).whileAlive(() => Promise.reject(new Error("deadline"))),
            /deadline/,
        );
        assert.equal(gone, 0);
    });

    it("finishes critical work before it reports a lost engine", async () => {
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

    it("starts no critical work after the engine is gone", async () => {
        engine.close();
        await once(engine, "close");
        await assert.rejects(
            watchOf(address).finish(() => assert.fail()),
            /engine is gone: nothing was started/,
        );
        assert.equal(gone, 1);
    });

    for (const signal of ["SIGINT", "SIGTERM"] as const) {
        it(`finishes critical work after ${signal}, and then ends the process`, async () => {
            const listeners = events.listenerCount(signal);
            const done = await watchOf(address).finish(() => {
                events.emit(signal, signal);
                assert.equal(gone, 0);
                return Promise.resolve("started");
            });
            assert.equal(done, "started");
            assert.equal(gone, 1);
            assert.equal(events.listenerCount(signal), listeners);
        });
    }

    it("reports nothing after critical work while the engine is alive", async () => {
        await watchOf(address).finish(() => Promise.resolve());
        assert.equal(gone, 0);
    });

    describe("counts a returned result as saved", () => {
        let saved: number;
        let watch: EngineWatch;
        beforeEach(() => {
            saved = 0;
            elapsedMs = 30_000;
            watch = watchOf(address);
            watch.whenSaved(() => saved++);
        });
        it("when a signal from Pulumi ends this process", () => {
            const listeners = events.listenerCount("SIGINT");
            events.emit("SIGINT", "SIGINT");
            assert.deepEqual([saved, gone], [1, 1]);
            assert.equal(events.listenerCount("SIGINT"), listeners - 1);
        });

        it("immediately on a signal, even if other work must be finished first", async () => {
            await watch.finish(() => {
                events.emit("SIGINT", "SIGINT");
                assert.deepEqual([saved, gone], [1, 0]);
                return Promise.resolve();
            });
        });

        it("when the engine is still alive a minute later", async () => {
            elapsedMs = 89_999;
            await watch.whileAlive(() => Promise.resolve());
            assert.equal(saved, 0);
            elapsedMs = 90_000;
            await watch.whileAlive(() => Promise.resolve());
            assert.equal(saved, 1);
        });

        it("only once", async () => {
            elapsedMs = 90_000;
            await watch.whileAlive(() => Promise.resolve());
            await watch.whileAlive(() => Promise.resolve());
            events.emit("SIGINT", "SIGINT");
            assert.equal(saved, 1);
        });

        it("but not if the engine is gone", async () => {
            engine.close();
            await once(engine, "close");
            elapsedMs = 90_000;
            await watch.whileAlive(() => Promise.resolve());
            assert.deepEqual([saved, gone], [0, 1]);
        });
    });

    it("notices every two seconds whether the engine is gone, even if nothing waits for it", async () => {
        mock.timers.enable({ apis: ["setInterval"] });
        try {
            const watch = watchOf(address);
            watch.start();
            engine.close();
            await once(engine, "close");
            const ended = once(watch.gone, "abort");
            mock.timers.tick(2000);
            await ended;
            assert.equal(gone, 1);
        } finally {
            mock.timers.reset();
        }
    });

    it("watches nothing if no engine address is given", async () => {
        assert.equal(await watchOf(undefined).whileAlive(() => Promise.resolve("done")), "done");
        assert.equal(gone, 0);
    });
});
