import assert from "node:assert/strict";
import { join } from "node:path";
import { type Seen } from "./support/delegated/program.js";
import { installOrSkip } from "./support/install-or-skip.js";
import { machinePackages, runInMachine } from "./support/small-machine.js";

const files = join(import.meta.dirname, "support/delegated");

describe("Control groups of version 2 that an ordinary user was given", function () {
    this.timeout(8 * 60_000);
    let seen: Seen | undefined;

    before(async function () {
        await installOrSkip(this, machinePackages);
        const lines = await runInMachine({
            init: join(files, "init"),
            program: join(files, "program.ts"),
            timeoutMs: 7 * 60_000,
        });
        const json = lines.flatMap((line) => /^SEEN (\{.*\})/.exec(line)?.[1] ?? [])[0];
        assert.ok(json, lines.join("\n"));
        seen = JSON.parse(json) as Seen;
    });

    it("get limits after the service has moved to a group below", () => {
        assert.equal(seen?.user, 1000);
        assert.equal(seen.fault, undefined);
        assert.equal(seen.ownGroup, "0::/unit/service");
    });

    it("end the process that takes too much memory, and refuse too many processes", () => {
        assert.equal(seen?.memory, "used more than 100 MB of memory");
        assert.equal(seen.processes, "started more than 10 processes");
    });

    it("are gone, with processes that ignore signals, when their runs have ended", () => {
        assert.deepEqual(seen?.left, []);
    });
});
