import assert from "node:assert/strict";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { Turns } from "../../../service/src/jobs/turns.js";
import { withSqlite } from "../support/sqlite.js";

const turns = new Turns("agent_turns", "project_id");

/** The names in the order in which they are served next. */
async function order(database: ServiceDatabase, names: readonly string[]): Promise<string[]> {
    const rows = names.map((name) => `SELECT '${name}' AS name`).join(" UNION ");
    const sql = `SELECT name FROM (${rows}) AS known ORDER BY ${turns.orderOf("known.name")}, name`;
    return (await database.all<{ name: string }>(sql)).map(({ name }) => name);
}

describe("Names that take turns", () => {
    it("are served in the order in which they were served last, those that never were first", async () => {
        await withSqlite(async (database) => {
            assert.deepEqual(await order(database, ["a", "b", "c"]), ["a", "b", "c"]);
            await turns.take(["a"], database);
            await turns.take(["b"], database);
            assert.deepEqual(await order(database, ["a", "b", "c"]), ["c", "a", "b"]);
            await turns.take(["a"], database);
            assert.deepEqual(await order(database, ["a", "b", "c"]), ["c", "b", "a"]);
        });
    });

    it("share a turn if they were served at the same time", async () => {
        await withSqlite(async (database) => {
            await turns.take(["c", "b"], database);
            await turns.take(["a"], database);
            assert.deepEqual(await order(database, ["a", "b", "c"]), ["b", "c", "a"]);
        });
    });

    it("are forgotten after 1,000 turns of others, and then go first", async () => {
        await withSqlite(async (database) => {
            await turns.take(["old"], database);
            await turns.take(["newer"], database);
            await database.run("UPDATE agent_turns SET turn = turn + 997 WHERE project_id = 'newer'");
            await turns.take(["newest"], database);
            const known = async () =>
                (await database.all<{ name: string }>("SELECT project_id AS name FROM agent_turns")).map(
                    ({ name }) => name,
                );
            assert.deepEqual((await known()).sort(), ["newer", "newest", "old"]);
            await turns.take(["newest"], database);
            assert.deepEqual((await known()).sort(), ["newer", "newest"]);
            assert.deepEqual(await order(database, ["newer", "newest", "old"]), ["old", "newer", "newest"]);
        });
    });
});
