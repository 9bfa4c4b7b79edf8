import assert from "node:assert/strict";
import { withoutStackTraces } from "../../../provider/src/program/stack-traces.js";

describe("withoutStackTraces", () => {
    it("records no stack traces while a resource is declared, and records stack traces again afterwards", () => {
        const before = Error.stackTraceLimit;
        assert.doesNotMatch(withoutStackTraces(() => new Error("kept").stack) ?? "", /\n/);
        assert.equal(Error.stackTraceLimit, before);
        assert.match(new Error("later").stack ?? "", /stack-traces\.spec/);
    });

    it("shows where a resource was declared if the declaration fails", () => {
        const before = Error.stackTraceLimit;
        const declare = () =>
            withoutStackTraces(() => {
                throw new TypeError("no name");
            });
        assert.throws(declare, ({ message, stack }: Error) => {
            assert.equal(message, "no name");
            return /^TypeError: no name\n.*\n? +at .*stack-traces\.spec/s.test(stack ?? "");
        });
        assert.equal(Error.stackTraceLimit, before);
    });

    it("keeps stack traces if Pulumi debugs promise leaks", () => {
        process.env["PULUMI_DEBUG_PROMISE_LEAKS"] = "true";
        try {
            assert.match(withoutStackTraces(() => new Error("kept").stack) ?? "", /stack-traces\.spec/);
        } finally {
            delete process.env["PULUMI_DEBUG_PROMISE_LEAKS"];
        }
    });
});
