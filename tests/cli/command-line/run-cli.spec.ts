import assert from "node:assert/strict";
import { commands } from "../../../cli/src/run-cli.js";

describe("The static-export commands", () => {
    it("are registered under their own names", async () => {
        const names = await Promise.all(Object.values(commands).map(async (load) => (await load()).name));
        assert.deepEqual(names, Object.keys(commands));
    });
});
