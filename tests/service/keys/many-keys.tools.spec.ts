import assert from "node:assert/strict";
import { type ServiceDatabase, type SqlValues } from "../../../service/src/database/database.js";
import { type AdminKey, AdminKeys } from "../../../service/src/keys/admin-keys.js";
import { describeOnBoth } from "../database/databases.js";

const count = 20_000;
const all = (): boolean => true;
const idsOf = (keys: readonly AdminKey[]): string[] => keys.map(({ id }) => id);

/** The newest key has the highest number. One in a thousand is of the team, and the first one created two others. */
const content = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
    INSERT INTO admin_keys (id, name, sha256, scopes, domains, created_at, created_by_id)
    SELECT 'ak_' || n, 'k' || n, 'sha' || n, '["read"]',
        CASE WHEN n % 1000 = 0 THEN '["team.example.com"]' ELSE '["d' || n || '.example.org"]' END, n / 2,
        CASE WHEN n IN (2, 3) THEN 'ak_1' WHEN n = 4 THEN 'ak_3' END FROM numbers`;

describeOnBoth(`The list of ${count} keys`, (withDatabase) => {
    async function withKeys(use: (keys: AdminKeys, rowsRead: () => number) => Promise<void>): Promise<void> {
        await withDatabase(async (database) => {
            await database.run(content);
            let rowsRead = 0;
            const counting: ServiceDatabase = {
                all: async <Row>(sql: string, values?: SqlValues) => {
                    const found = await database.all<Row>(sql, values);
                    rowsRead += found.length;
                    return found;
                },
                get: (sql, values) => database.get(sql, values),
                run: (sql, values) => database.run(sql, values),
                transaction: (work, lock) => database.transaction(work, lock),
                assertWritable: () => database.assertWritable(),
                close: () => database.close(),
            };
            await use(new AdminKeys(counting, () => count), () => rowsRead);
        });
    }

    it("reads one key more than the page shows", async () => {
        await withKeys(async (keys, rowsRead) => {
            const first = await keys.list({ limit: 50 }, all);
            assert.deepEqual([first.items.length, rowsRead()], [50, 51]);
            const second = await keys.list({ limit: 50, before: first.next }, all);
            assert.deepEqual([second.items.length, rowsRead()], [50, 102]);
            assert.equal(new Set(idsOf([...first.items, ...second.items])).size, 100);
        });
    });

    it("has every key on one of its pages, also those of the same moment", async () => {
        await withKeys(async (keys) => {
            const found: string[] = [];
            let before: Awaited<ReturnType<AdminKeys["list"]>>["next"];
            do {
                const page = await keys.list({ limit: 999, before }, all);
                found.push(...idsOf(page.items));
                before = page.next;
            } while (before !== undefined);
            assert.deepEqual([found.length, new Set(found).size], [count, count]);
        });
    });

    it("reads only the keys of a team's domains for the team", async () => {
        await withKeys(async (keys, rowsRead) => {
            for (const reach of [["team.example.com"], ["*.example.com"]]) {
                const before = rowsRead();
                const { items: found, next } = await keys.list({ limit: 50, reach }, all);
                assert.deepEqual([found.length, next, rowsRead() - before], [20, undefined, 20]);
            }
        });
    });

    it("finds keys by a part of the name or of a domain, and by the id, without reading the others", async () => {
        await withKeys(async (keys, rowsRead) => {
            for (const [search, ids] of [
                ["k12345", ["ak_12345"]],
                ["d777.example", ["ak_777"]],
                ["ak_42", ["ak_42"]],
                ["k_2345", []],
            ] as const) {
                assert.deepEqual(idsOf((await keys.list({ limit: 50, search }, all)).items), ids);
            }
            assert.equal(rowsRead(), 3);
        });
    });

    it("has the active keys that a key created, and those that they created", async () => {
        await withKeys(async (keys, rowsRead) => {
            const made = await keys.madeBy("ak_1");
            assert.deepEqual([idsOf(made), rowsRead()], [["ak_4", "ak_3", "ak_2"], 3]);
        });
    });
});
