import assert from "node:assert/strict";
import {
    cursorOf,
    maxPart,
    type Page,
    parseCursor,
    type Position,
    readPage,
} from "../../../service/src/keys/read-page.js";

interface Item {
    createdAt: Date;
    id: string;
}

/** Items whose ids are their places in the list, the newest first. */
function listOf(count: number): Item[] {
    return Array.from({ length: count }, (_, place) => ({
        createdAt: new Date(1_000_000 - place),
        id: String(place),
    }));
}

/** Reads a page of the items whose ids are wanted, and counts the rows that were read. */
async function read(
    items: readonly Item[],
    {
        limit,
        before,
        isWanted = () => true,
    }: { limit?: number; before?: Position; isWanted?: (place: number) => boolean },
): Promise<Page<Item> & { ids: string[]; rows: number[] }> {
    const rows: number[] = [];
    const page = await readPage<Item>({
        ...{ limit, before },
        read: ({ createdAt, size }) => {
            const found = items.filter((item) => item.createdAt.getTime() < createdAt).slice(0, size);
            rows.push(found.length);
            return Promise.resolve(found);
        },
        select: (found) => found.filter(({ id }) => isWanted(Number(id))),
    });
    return { ...page, ids: page.items.map(({ id }) => id), rows };
}

describe("A page of a list", () => {
    it("has as many items as it may have, and the next page begins after them", async () => {
        const items = listOf(5);
        const first = await read(items, { limit: 2 });
        assert.deepEqual([first.ids, first.rows], [["0", "1"], [3]]);
        const second = await read(items, { limit: 2, before: parseCursor(cursorOf(first.next!))! });
        assert.deepEqual(second.ids, ["2", "3"]);
        const third = await read(items, { limit: 2, before: second.next! });
        assert.deepEqual([third.ids, third.next, third.rows], [["4"], undefined, [1]]);
    });

    it("is the last one if it has all items that are left", async () => {
        assert.equal((await read(listOf(2), { limit: 2 })).next, undefined);
        assert.deepEqual(await read([], { limit: 2 }), { items: [], next: undefined, ids: [], rows: [0] });
        assert.equal((await read([], {})).next, undefined);
    });

    it("is filled with wanted items from later parts of the list, which is read no further than needed", async () => {
        const items = listOf(3 * maxPart);
        const isWanted = (place: number): boolean => place % maxPart === 9;
        const first = await read(items, { limit: 1, isWanted });
        assert.deepEqual([first.ids, first.rows], [["9"], [2, maxPart, maxPart]]);
        const second = await read(items, { limit: 2, before: first.next!, isWanted });
        assert.deepEqual(second.ids, ["509", "1009"]);
        assert.equal(second.next, undefined);
    });

    it("has all items without a limit, in parts", async () => {
        const { ids, next, rows } = await read(listOf(2 * maxPart), {});
        assert.deepEqual([ids.length, next, rows], [2 * maxPart, undefined, [maxPart, maxPart, 0]]);
    });

    it("is the first one without a cursor", () => {
        assert.equal(parseCursor(undefined), undefined);
    });
});
