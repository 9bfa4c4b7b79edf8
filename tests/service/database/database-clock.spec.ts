import assert from "node:assert/strict";
import { DatabaseClock } from "../../../service/src/database/database-clock.js";
import { type ServiceLogger } from "../../../service/src/shared/logger.js";

const day = 24 * 60 * 60_000;
const right = Date.parse("2026-11-01T10:00:00Z");

async function clockOf(aheadMs: number): Promise<{ clock: DatabaseClock; errors: string[] }> {
    const errors: string[] = [];
    const logger: ServiceLogger = { info: () => undefined, error: (line) => void errors.push(line) };
    const clock = new DatabaseClock({ now: () => Promise.resolve(right) }, () => right + aheadMs, logger);
    await clock.sync();
    return { clock, errors };
}

describe("The clock of a process", () => {
    it("is the database's, however wrong the machine's clock is", async () => {
        for (const aheadMs of [100 * day, -2 * 60 * 60_000, 1500]) {
            const { clock } = await clockOf(aheadMs);
            assert.equal(clock.now(), right);
        }
    });

    it("is the machine's if the difference is below a second, so that time does not go backwards", async () => {
        const { clock } = await clockOf(900);
        assert.equal(clock.now(), right + 900);
    });

    it("is the machine's without a shared database", async () => {
        const clock = new DatabaseClock({}, () => right + day, { info: assert.fail, error: assert.fail });
        await clock.sync();
        assert.deepEqual([clock.now(), clock.problem], [right + day, undefined]);
    });

    it("is a problem, which the log names once, if it differs by more than a minute", async () => {
        const { clock, errors } = await clockOf(100 * day);
        await clock.sync();
        assert.equal(clock.problem, "the clock of this machine is 8640000 s ahead of the database's");
        assert.deepEqual(errors, [
            "This process is not ready, and does not remove old data: the clock of this machine is 8640000 s ahead of the " +
                "database's. Jobs use the database's time.",
        ]);
    });

    it("is not a problem if it differs by less than a minute", async () => {
        const { clock, errors } = await clockOf(-59_000);
        assert.deepEqual([clock.problem, errors], [undefined, []]);
    });
});
