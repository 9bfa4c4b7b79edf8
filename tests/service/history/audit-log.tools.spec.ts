import assert from "node:assert/strict";
import { AuditLog } from "../../../service/src/history/audit-log.js";
import { describeOnBoth } from "../database/databases.js";
import { silentLogger } from "../../../service/src/shared/logger.js";

const request = { id: "req-1", ip: "127.0.0.1" };

describeOnBoth("The names of people in the audit log", (withDatabase) => {
    const act = "signed in to the dashboard";

    it("are those under which people last did something, even if the sentence was shortened", async () => {
        await withDatabase(async (database) => {
            const audit = new AuditLog(database, () => 0, silentLogger);
            const add = (id: string, actorName: string) =>
                audit.add({ actor: `Person ${actorName} (${id})`, actorId: `user:${id}`, actorName, act, request });
            add("1", "Ann");
            await audit.close();
            add("1", "Ann Smith (Docs)");
            await audit.close();
            const longName = "B".repeat(995);
            add("2", longName);
            await audit.close();
            const names = await audit.namesOf(["user:1", "user:2", "user:3"]);
            assert.deepEqual([...names].sort(), [
                ["user:1", "Ann Smith (Docs)"],
                ["user:2", longName],
            ]);
        });
    });
});

describeOnBoth("A filtered audit log", (withDatabase) => {
    it("has pages and a number, also over more entries than are read at once", async () => {
        await withDatabase(async (database) => {
            const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 12000)`;
            await database.run(
                `INSERT INTO audit_entries (at, actor, act) ${numbers}
                 SELECT n, 'Key ÄÖ', CASE WHEN n % 3000 = 1 THEN 'revoked key' ELSE 'signed in' END FROM numbers`,
            );
            const audit = new AuditLog(database, () => 0, silentLogger);
            const first = await audit.list({ act: "REVOKED", actor: "äö" }, 3);
            assert.deepEqual(
                first.entries.map(({ at }) => at.getTime()),
                [9001, 6001, 3001],
            );
            const second = await audit.list({ act: "REVOKED" }, 3, first.next);
            assert.deepEqual([second.entries.map(({ at }) => at.getTime()), second.next], [[1], undefined]);
            assert.equal(await audit.count({ act: "revoked" }), 4);
            assert.equal(await audit.count({}), 1001);
            assert.deepEqual(await audit.list({ act: "nothing" }, 3), { entries: [] });
        });
    });
});
