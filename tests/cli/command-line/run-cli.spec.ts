import assert from "node:assert/strict";
import { commands } from "../../../cli/src/run-cli.js";

describe("The static-export commands", () => {
    it("are each loaded under their own name", async () => {
        const names = await Promise.all(Object.values(commands).map(async (load) => (await load()).name));
        assert.deepEqual(names, Object.keys(commands));
    });
});
