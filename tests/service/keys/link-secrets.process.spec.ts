import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { openSqliteDatabase } from "../../../service/src/database/sqlite-database.js";
import { LinkSecrets } from "../../../service/src/keys/link-secrets.js";
import { waitUntil } from "../../wait-until.js";

describe("The secrets that sign links", () => {
    /** Runs two processes with one database, whose clock moves only with `passes`. */
    async function withProcesses(
        use: (
            one: LinkSecrets,
            other: LinkSecrets,
            passes: (ms: number) => void,
            database: ServiceDatabase,
        ) => Promise<void>,
    ): Promise<void> {
        const folder = await mkdtemp(join(tmpdir(), "links-"));
        const database = openSqliteDatabase(folder);
        let now = 50_000;
        const processes = [1, 2].map(
            () =>
                new LinkSecrets(
                    database,
                    () => now,
                    () => now,
                ),
        );
        try {
            await Promise.all(processes.map((each) => each.start()));
            await use(processes[0]!, processes[1]!, (ms) => (now += ms), database);
        } finally {
            processes.forEach((each) => each.stop());
            await database.close();
            await rm(folder, { recursive: true });
        }
    }

    const signed = ({ current }: LinkSecrets): ((secret: string) => boolean) => {
        const signature = createHmac("sha256", current).update("link").digest("hex");
        return (secret) => createHmac("sha256", secret).update("link").digest("hex") === signature;
    };

    it("are the same in all processes, and hard to guess", async () => {
        await withProcesses(async (one, other) => {
            assert.equal(await other.accepts(signed(one)), true);
            assert.equal(await other.accepts(() => false), false);
            assert.match(one.current, /^[0-9a-f]{64}$/);
        });
    });

    it("are accepted for a while after a rotation, and then no longer", async () => {
        await withProcesses(async (one, other, passes) => {
            const before = signed(one);
            passes(5000);
            assert.deepEqual(await one.rotate(60_000), new Date(115_000));
            assert.equal(await one.accepts(before), true);
            assert.equal(await other.accepts(signed(one)), true, "the other process learns of the new one at once");
            passes(59_999);
            assert.equal(await other.accepts(before), true);
            passes(1);
            assert.equal(await other.accepts(before), false);
            assert.equal(await one.accepts(before), false);
        });
    });

    it("end at once if they are rotated without a grace period, also those of earlier rotations", async () => {
        await withProcesses(async (one, _other, passes) => {
            const first = signed(one);
            await one.rotate(60_000);
            const second = signed(one);
            passes(1);
            await one.rotate(0);
            assert.deepEqual([await one.accepts(first), await one.accepts(second)], [false, false]);
            assert.equal(await one.accepts(signed(one)), true);
        });
    });

    it("are read again for a link that they do not accept, but at most once a second", async () => {
        await withProcesses(async (one, other, passes) => {
            await one.rotate(60_000);
            passes(999);
            assert.equal(await other.accepts(signed(one)), false);
            passes(1);
            assert.equal(await other.accepts(signed(one)), true);
        });
    });

    it("are not read again for a link that they accept, also an earlier one", async () => {
        await withProcesses(async (one, _other, _passes, database) => {
            let [reads, elapsedMs] = [0, 0];
            const all: ServiceDatabase["all"] = (...query) => {
                reads += 1;
                return database.all(...query);
            };
            const observed: Pick<ServiceDatabase, "all" | "run"> = { all, run: (...query) => database.run(...query) };
            const before = signed(one);
            await one.rotate(60_000);
            const third = new LinkSecrets(
                observed as ServiceDatabase,
                () => 50_000,
                () => elapsedMs,
            );
            await third.start();
            third.stop();
            elapsedMs = 1000;
            assert.deepEqual([await third.accepts(before), await third.accepts(signed(one))], [true, true]);
            assert.equal(reads, 1);
            await third.accepts(() => false);
            assert.equal(reads, 2);
        });
    });

    it("are accepted by all requests that arrive while they are read again", async () => {
        await withProcesses(async (one, other, passes) => {
            await one.rotate(60_000);
            passes(1000);
            const requests = [1, 2, 3].map(() => other.accepts(signed(one)));
            assert.deepEqual(await Promise.all(requests), [true, true, true]);
        });
    });

    it("refuse no link while the database is away, because the link may be valid", async () => {
        await withProcesses(async (one, _other, _passes, database) => {
            let isAway = false;
            const all: ServiceDatabase["all"] = (...query) =>
                isAway ? Promise.reject(new Error("The database is away.")) : database.all(...query);
            let elapsedMs = 0;
            const observed: Pick<ServiceDatabase, "all" | "run"> = { all, run: (...query) => database.run(...query) };
            const third = new LinkSecrets(observed as ServiceDatabase, Date.now, () => elapsedMs);
            await third.start();
            third.stop();
            await one.rotate(60_000);
            [isAway, elapsedMs] = [true, 1000];
            await assert.rejects(third.accepts(signed(one)), /away/);
            await assert.rejects(third.accepts(signed(one)), /away/);
            [isAway, elapsedMs] = [false, 2000];
            assert.equal(await third.accepts(signed(one)), true);
        });
    });

    it("that another process has created sign within five seconds, until the process stops", async () => {
        mock.timers.enable({ apis: ["setInterval"] });
        try {
            await withProcesses(async (one, other) => {
                const first = other.current;
                await one.rotate(60_000);
                mock.timers.tick(4999);
                await turn();
                assert.equal(other.current, first);
                mock.timers.tick(1);
                await waitUntil("the secrets are read", () => Promise.resolve(other.current !== first));
                assert.equal(other.current, one.current);
                other.stop();
                const second = other.current;
                await one.rotate(60_000);
                mock.timers.tick(60_000);
                await turn();
                assert.equal(other.current, second);
            });
        } finally {
            mock.timers.reset();
        }
    });

    it("are removed by a rotation once they have ended", async () => {
        await withProcesses(async (one, _other, passes, database) => {
            await one.rotate(1000);
            passes(1000);
            await one.rotate(1000);
            assert.equal((await database.all("SELECT name FROM secrets")).length, 2);
        });
    });

    it("sign nothing before they have been read", async () => {
        await withProcesses(async (_one, _other, _passes, database) => {
            const unread = new LinkSecrets(database, Date.now);
            assert.throws(() => unread.current, /have not been read yet/);
            await unread.start();
            unread.stop();
            assert.equal(await unread.accepts(() => false), false);
        });
    });
});
