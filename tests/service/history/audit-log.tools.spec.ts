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
