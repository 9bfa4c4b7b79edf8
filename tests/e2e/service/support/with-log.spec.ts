import assert from "node:assert/strict";
import { withLog } from "./with-log.js";

describe("withLog", () => {
    const service = { log: () => Promise.resolve("the log of its pods") };

    it("adds the service's log to a failure, after its message, its place and what the program wrote", async () => {
        const error = Object.assign(new Error("no job ended"), { stderr: "Error: timed out" });
        await assert.rejects(
            withLog(service, () => Promise.reject(error)),
            ({ message, cause }: Error) => {
                assert.match(message, /^Error: no job ended\n +at .*\nError: timed out\nthe log of its pods$/s);
                assert.equal(cause, error);
                return true;
            },
        );
    });

    it("still reports the failure if there is no log", async () => {
        const silent = { log: () => Promise.reject(new Error("no cluster")) };
        await assert.rejects(
            withLog(silent, () => Promise.reject(new Error("no job ended"))),
            /no job ended[^]*no cluster$/,
        );
    });

    it("returns the result, and reads no log, if nothing fails", async () => {
        const unread = { log: () => assert.fail("the log was read") };
        assert.equal(await withLog(unread, () => Promise.resolve(1)), 1);
    });
});
