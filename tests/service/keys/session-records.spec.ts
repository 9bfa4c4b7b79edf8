import assert from "node:assert/strict";
import { SessionRecords } from "../../../service/src/keys/session-records.js";
import { withSqlite } from "../support/sqlite.js";

const hour = 3_600_000;
const start = 100 * hour;
const ann = { name: "Ann", ownerId: "user:ann", address: "192.0.2.1", content: "{}", forMs: 8 * hour };

interface Given {
    sessions: SessionRecords;
    clock: { now: number };
    idsOf: (ownerId?: string | null) => Promise<string[]>;
}

async function withSessions(use: (given: Given) => Promise<void>): Promise<void> {
    await withSqlite(async (database) => {
        const clock = { now: start };
        const sessions = new SessionRecords(database, () => clock.now);
        const idsOf = async (ownerId?: string | null) =>
            (await sessions.list({ ownerId }, (found) => Promise.resolve(found))).items.map(({ id }) => id);
        await use({ sessions, clock, idsOf });
    });
}

describe("A session", () => {
    it("is found by its token, with its content, and has the person's name and address", async () => {
        await withSessions(async ({ sessions }) => {
            const token = await sessions.add(ann);
            const found = (await sessions.find([token, "unknown"])).get(token)!;
            assert.deepEqual(found, { id: found.id, content: "{}", isSeenLately: true });
            assert.deepEqual(await sessions.get(found.id), {
                ...{ id: found.id, name: "Ann", ownerId: "user:ann", address: "192.0.2.1", content: "{}" },
                ...{ createdAt: new Date(start), seenAt: new Date(start), expiresAt: new Date(start + 8 * hour) },
            });
            assert.equal((await sessions.find([])).size, 0);
        });
    });

    it("ends if nobody uses it for two hours, and lasts while it is used", async () => {
        await withSessions(async ({ sessions, clock }) => {
            const token = await sessions.add(ann);
            const { id } = (await sessions.find([token])).get(token)!;
            clock.now += 60_000;
            assert.equal((await sessions.find([token])).get(token)?.isSeenLately, false);
            clock.now = start + 2 * hour - 1;
            await sessions.use(id);
            clock.now = start + 4 * hour - 2;
            assert.deepEqual((await sessions.get(id))?.seenAt, new Date(start + 2 * hour - 1));
            clock.now = start + 4 * hour - 1;
            assert.equal((await sessions.find([token])).size, 0);
        });
    });

    it("ends at its expiry, when it is ended, and if the clock is set back to before its beginning", async () => {
        await withSessions(async ({ sessions, clock, idsOf }) => {
            const token = await sessions.add({ ...ann, forMs: hour });
            clock.now = start + hour;
            assert.equal((await sessions.find([token])).size, 0);
            clock.now = start - 300_000;
            assert.equal((await sessions.find([token])).size, 1);
            clock.now -= 1;
            assert.equal((await sessions.find([token])).size, 0);
            clock.now = start;
            const [id = ""] = await idsOf();
            await sessions.end(id);
            assert.equal(await sessions.get(id), undefined);
        });
    });

    it("is one of a hundred of its owner: a new one ends the oldest", async () => {
        await withSessions(async ({ sessions, clock, idsOf }) => {
            await sessions.add({ ...ann, ownerId: null });
            const tokens: string[] = [];
            for (let count = 0; count < 102; count += 1) {
                clock.now += 1;
                tokens.push(await sessions.add(ann));
            }
            const found = await sessions.find(tokens);
            assert.deepEqual([found.size, found.has(tokens[1]!), found.has(tokens[2]!)], [100, false, true]);
            assert.deepEqual(
                [(await idsOf("user:ann")).length, (await idsOf(null)).length, (await idsOf()).length],
                [100, 1, 101],
            );
        });
    });
});
