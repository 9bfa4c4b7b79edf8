import assert from "node:assert/strict";
import { commands } from "../../../cli/src/run-cli.js";

describe("The commands of static-export", () => {
    it("are loaded by their own names", async () => {
        const names = await Promise.all(Object.values(commands).map(async (load) => (await load()).name));
        assert.deepEqual(names, Object.keys(commands));
    });
});
