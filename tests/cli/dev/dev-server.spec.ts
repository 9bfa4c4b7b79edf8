import assert from "node:assert/strict";
import { Server } from "node:net";
import { DevServer } from "../../../cli/src/dev/dev-server.js";

describe("The ports of static-export dev", () => {
    const { listen } = Server.prototype;
    const reserve = (reserved: number) => {
        Server.prototype.listen = function (this: Server, ...args: unknown[]) {
            if (args[0] !== reserved) {
                return listen.apply(this, args as never);
            }
            queueMicrotask(() => this.emit("error", Object.assign(new Error("reserved"), { code: "EACCES" })));
            return this;
        } as typeof listen;
    };
    const server = (ports: readonly number[]) =>
        new DevServer({ site: { call: () => Promise.reject(new Error()) }, ports, env: {}, onError: () => undefined });
    afterEach(() => {
        Server.prototype.listen = listen;
    });

    it("continue after one that Windows reserves for Hyper-V", async () => {
        reserve(4400);
        const dev = server([4400, 0]);
        try {
            assert.match(await dev.listen(), /^http:\/\/127\.0\.0\.1:\d+$/);
        } finally {
            await dev.close();
        }
    });

    it("end with an error if the last one is reserved", async () => {
        reserve(4400);
        await assert.rejects(server([4400]).listen(), /Port 4400 is not available \(EACCES\): choose another one/);
    });
});
