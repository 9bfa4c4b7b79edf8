import assert from "node:assert/strict";
import {
    type AdminKey,
    AdminKeys,
    digest,
    KeyNameTakenError,
    type NewAdminKey,
} from "../../../service/src/keys/admin-keys.js";
import { cursorOf, parseCursor } from "../../../service/src/keys/read-page.js";
import { type ServiceDatabase } from "../../../service/src/database/database.js";
import { withSqlite } from "../support/sqlite.js";

const rights = { scopes: ["read"] as const, domains: null, projects: null, expiresAt: null };
const all = (): boolean => true;
const namesOf = (keys: readonly AdminKey[]): string[] => keys.map(({ name }) => name);
const minute = 60_000;

interface Given {
    database: ServiceDatabase;
    keys: AdminKeys;
    clock: { now: number };
    create: (name: string, more?: Partial<NewAdminKey>) => Promise<{ key: AdminKey; secret: string }>;
    revoke: (id: string) => Promise<AdminKey | undefined>;
}

async function withKeys(use: (given: Given) => Promise<void>): Promise<void> {
    await withSqlite(async (database) => {
        const clock = { now: 1000 };
        const keys = new AdminKeys(database, () => clock.now);
        await use({
            ...{ database, keys, clock },
            create: (name, more = {}) => keys.create({ name, ...rights, ...more }),
            revoke: (id) => database.transaction((transaction) => keys.revoke(id, transaction)),
        });
    });
}

describe("An admin key", () => {
    it("is found by its secret until it is revoked or has expired, with the time of its last use to a minute", async () => {
        await withKeys(async ({ keys, clock, create, revoke }) => {
            clock.now = 2 * minute;
            const { key, secret } = await create("ci", { expiresAt: new Date(10 * minute), projects: ["docs"] });
            assert.equal((await keys.get(key.id))?.lastUsedAt, null);
            assert.equal((await keys.find(secret))?.id, key.id);
            assert.equal(await keys.find(`${secret}0`), undefined);
            assert.deepEqual((await keys.get(key.id))?.lastUsedAt, new Date(2 * minute));
            clock.now = 3 * minute - 1;
            await keys.find(secret);
            assert.deepEqual((await keys.get(key.id))?.lastUsedAt, new Date(2 * minute));
            clock.now = 3 * minute;
            await keys.find(secret);
            assert.deepEqual((await keys.get(key.id))?.lastUsedAt, new Date(3 * minute));
            clock.now = 10 * minute;
            assert.equal(await keys.find(secret), undefined);
            const other = await create("other");
            assert.deepEqual((await revoke(other.key.id))?.revokedAt, new Date(clock.now));
            assert.equal(await keys.find(other.secret), undefined);
            assert.equal(await revoke(other.key.id), undefined);
        });
    });

    it("works although the database refuses to record its use", async () => {
        await withKeys(async ({ database, create }) => {
            const { secret } = await create("ci");
            const readOnly: ServiceDatabase = {
                all: (...query) => database.all(...query),
                get: (...query) => database.get(...query),
                run: () => Promise.reject(new Error("read-only")),
                transaction: (...work) => database.transaction(...work),
                assertWritable: () => database.assertWritable(),
                close: () => database.close(),
            };
            assert.equal((await new AdminKeys(readOnly, () => 1000).find(secret))?.name, "ci");
        });
    });

    it("is written once a minute, however often it is used", async () => {
        await withKeys(async ({ database, clock, create }) => {
            const { secret } = await create("ci");
            let writes = 0;
            const observed: Pick<ServiceDatabase, "get" | "run"> = {
                get: (...query) => database.get(...query),
                run: (...query) => {
                    writes += 1;
                    return database.run(...query);
                },
            };
            const keys = new AdminKeys(observed as ServiceDatabase, () => clock.now);
            for (clock.now = minute; clock.now < 3 * minute; clock.now += minute / 4) {
                await keys.find(secret);
            }
            assert.equal(writes, 2);
        });
    });

    it("accepts its earlier secret for the time of grace, and only an active key is rotated", async () => {
        await withKeys(async ({ keys, clock, create, revoke }) => {
            const { key, secret } = await create("ci");
            const rotated = await keys.rotate(key.id, 5000);
            const accepted = async () => [
                ...(await keys.findAllByDigest([secret, rotated!.secret].map(digest))).keys(),
            ];
            assert.equal((await keys.find(secret))?.id, key.id);
            assert.deepEqual(await accepted(), [digest(rotated!.secret), digest(secret)]);
            clock.now = 6000;
            assert.equal(await keys.find(secret), undefined);
            assert.equal((await keys.find(rotated!.secret))?.id, key.id);
            assert.deepEqual(await accepted(), [digest(rotated!.secret)]);
            await revoke(key.id);
            assert.equal(await keys.rotate(key.id, 5000), undefined);
            assert.deepEqual(await accepted(), []);
        });
    });

    it("has a name that its creator does not see elsewhere; another one with the name shows it, too", async () => {
        await withKeys(async ({ keys, create, revoke }) => {
            const { key } = await create("ci");
            await assert.rejects(create("ci"), KeyNameTakenError);
            const hidden = await keys.create({ name: "ci", ...rights }, () => false);
            const third = await keys.create({ name: "ci", ...rights }, () => false);
            assert.deepEqual([hidden.key.name, third.key.name], ["ci", "ci"]);
            assert.deepEqual(
                await keys.namesOf([key.id, hidden.key.id, key.id]),
                new Map([key, hidden.key].map((each) => [each.id, "ci"])),
            );
            for (const { id } of [key, hidden.key, third.key]) {
                await revoke(id);
            }
            assert.equal((await create("ci")).key.name, "ci");
        });
    });

    it("gets other rights as long as it is active", async () => {
        await withKeys(async ({ database, keys, create, revoke }) => {
            const { key } = await create("ci", { createdBy: "Ann", createdById: "user:ann" });
            assert.deepEqual([key.createdBy, key.createdById], ["Ann", "user:ann"]);
            const changed = {
                scopes: ["export"] as const,
                domains: ["a.example.com"],
                projects: [],
                expiresAt: new Date(5000),
            };
            const change = () => database.transaction((transaction) => keys.change(key.id, changed, transaction));
            assert.deepEqual(await change(), { ...key, ...changed });
            assert.deepEqual(await keys.get(key.id), { ...key, ...changed });
            await revoke(key.id);
            assert.equal(await change(), undefined);
        });
    });

    it("lists the active keys that it created, directly or through others, the newest first", async () => {
        await withKeys(async ({ keys, clock, create, revoke }) => {
            const { key } = await create("team");
            clock.now = 2000;
            const child = await create("child", { createdById: key.id });
            clock.now = 3000;
            const grandchild = await create("grandchild", { createdById: child.key.id });
            await create("expiring", { createdById: key.id, expiresAt: new Date(4000) });
            clock.now = 4000;
            assert.deepEqual(namesOf(await keys.madeBy(key.id)), ["grandchild", "child"]);
            await revoke(child.key.id);
            assert.deepEqual(namesOf(await keys.madeBy(key.id)), ["grandchild"]);
            assert.deepEqual(await keys.madeBy(grandchild.key.id), []);
            for (const name of ["a", "b", "c", "d"]) {
                await create(name, { createdById: grandchild.key.id });
            }
            const listed = (await keys.list({ limit: 4 }, all)).items;
            assert.deepEqual(await keys.madeBy(grandchild.key.id), listed, "in the order of lists");
        });
    });
});

describe("The list of admin keys", () => {
    async function withList(use: (list: (filter: object) => Promise<string[]>, given: Given) => Promise<void>) {
        await withKeys(async (given) => {
            const { clock, create, keys } = given;
            for (const [name, domains] of Object.entries({
                everything: null,
                one: ["docs.example.com"],
                below: ["a.docs.example.com"],
                projects: [],
                percent_: ["other.example.org"],
            })) {
                clock.now += 1000;
                await create(name, { domains, ...(domains?.length === 0 ? { projects: ["docs"] } : {}) });
            }
            const list = async (filter: object) => namesOf((await keys.list({ ...filter }, all)).items);
            await use(list, given);
        });
    }

    it("has all keys, the newest first, in pages", async () => {
        await withList(async (list, { keys }) => {
            assert.deepEqual(await list({}), ["percent_", "projects", "below", "one", "everything"]);
            const first = await keys.list({ limit: 2 }, all);
            assert.deepEqual(namesOf(first.items), ["percent_", "projects"]);
            const next = await keys.list({ limit: 3, before: parseCursor(cursorOf(first.next!)) }, all);
            assert.deepEqual([namesOf(next.items), next.next], [["below", "one", "everything"], undefined]);
            assert.equal(parseCursor(undefined), undefined);
            const wanted = await keys.list({ limit: 1 }, ({ name }) => name === "one");
            assert.deepEqual([namesOf(wanted.items), wanted.next], [["one"], undefined]);
        });
    });

    it("finds an id, or a part of a name or domain, as text", async () => {
        await withList(async (list, { keys }) => {
            const { items } = await keys.list({ limit: 1 }, all);
            assert.deepEqual(await list({ search: items[0]!.id }), ["percent_"]);
            assert.deepEqual(await list({ search: "every" }), ["everything"]);
            assert.deepEqual(await list({ search: "docs.example" }), ["below", "one"]);
            assert.deepEqual(await list({ search: "t_" }), ["percent_"]);
        });
    });

    it("leaves out keys whose domains a caller cannot reach", async () => {
        await withList(async (list) => {
            assert.deepEqual(await list({ reach: ["docs.example.com"] }), ["projects", "one"]);
            assert.deepEqual(await list({ reach: ["*.example.com"] }), ["projects", "below", "one"]);
            assert.deepEqual(await list({ reach: [] }), ["projects"]);
            const many = Array.from({ length: 21 }, (_, place) => `d${place}.example.com`);
            assert.deepEqual(await list({ reach: many }), ["percent_", "projects", "below", "one"]);
            assert.deepEqual(await list({ reach: many.slice(1) }), ["projects"]);
        });
    });
});
