import assert from "node:assert/strict";
import { readSeconds } from "../../../cli/src/command-line/options.js";

describe("A number of seconds on the command line", () => {
    it("may be as large as a timer can count", () => assert.equal(readSeconds("2147483"), 2_147_483));

    it("is refused if a timer would end at once", () => {
        assert.throws(() => readSeconds("2147484"), { message: "Use a whole number from 1 to 2147483." });
    });
});
