import assert from "node:assert/strict";
import { classifyConnectionFailure } from "../../../../sdk/src/http/connection-failure.js";

describe("A request that this machine cannot make", () => {
    for (const code of ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"]) {
        it(`counts as never sent: ${code}`, () => {
            const error = Object.assign(new Error("Cannot find package 'node-fetch'"), { code });
            assert.deepEqual(classifyConnectionFailure(error), { failure: "local", code, neverSent: true });
        });
    }

    it("is distinguished from a TLS connection that broke during use", () => {
        const error = Object.assign(new Error("bad record mac"), { code: "EPROTO" });
        assert.deepEqual(classifyConnectionFailure(error), { failure: "tls", code: "EPROTO", neverSent: false });
    });
});
