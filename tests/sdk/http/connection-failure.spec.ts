import assert from "node:assert/strict";
import { classifyConnectionFailure } from "../../../sdk/src/http/connection-failure.js";

function failWith(code: string, syscall?: string): Error {
    return Object.assign(new Error("failed"), { code, ...(syscall === undefined ? {} : { syscall }) });
}

describe("classifyConnectionFailure", () => {
    for (const [code, syscall, failure, neverSent] of [
        ["ENOTFOUND", "getaddrinfo", "dns", true],
        ["EAI_AGAIN", "getaddrinfo", "dns", true],
        ["ECONNREFUSED", "connect", "refused", true],
        ["DEPTH_ZERO_SELF_SIGNED_CERT", undefined, "tls", true],
        ["SELF_SIGNED_CERT_IN_CHAIN", undefined, "tls", true],
        ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", undefined, "tls", true],
        ["CERT_HAS_EXPIRED", undefined, "tls", true],
        ["ERR_TLS_CERT_ALTNAME_INVALID", undefined, "tls", true],
        ["EPROTO", "write", "tls", false],
        ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", undefined, "tls", false],
        ["EHOSTUNREACH", "connect", "unreachable", true],
        ["ETIMEDOUT", "connect", "unreachable", true],
        ["ETIMEDOUT", "read", "unreachable", false],
        ["UND_ERR_CONNECT_TIMEOUT", undefined, "unreachable", true],
        ["ECONNRESET", "connect", "reset", true],
        ["ECONNRESET", "read", "reset", false],
        ["EPIPE", "write", "reset", false],
        ["UND_ERR_SOCKET", undefined, "reset", false],
        ["ERR_STREAM_PREMATURE_CLOSE", undefined, "reset", false],
        ["HPE_INVALID_CONSTANT", undefined, "protocol", false],
    ] as const) {
        const during = syscall === undefined ? "" : ` in ${syscall}`;
        it(`classifies ${code}${during} as ${failure}, ${neverSent ? "never sent" : "perhaps sent"}`, () => {
            assert.deepEqual(classifyConnectionFailure(failWith(code, syscall)), { failure, code, neverSent });
        });
    }

    it("finds the code in the cause of an error from Node's own fetch", () => {
        const error = new TypeError("fetch failed", { cause: failWith("ENOTFOUND", "getaddrinfo") });
        assert.equal(classifyConnectionFailure(error).failure, "dns");
    });

    it("finds the code in the cause of a cause, and survives an error that is its own cause", () => {
        const cause = new Error("failed", { cause: failWith("ECONNREFUSED", "connect") });
        assert.equal(classifyConnectionFailure(new TypeError("failed", { cause })).failure, "refused");
        const circle = new Error("failed");
        circle.cause = circle;
        assert.equal(classifyConnectionFailure(circle).code, undefined);
    });

    for (const error of [new Error("boom"), "boom", undefined]) {
        it(`classifies ${String(error)} without a code as possibly sent`, () => {
            assert.deepEqual(classifyConnectionFailure(error), { failure: "reset", code: undefined, neverSent: false });
        });
    }
});
