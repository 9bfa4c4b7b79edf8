import { setImmediate } from "node:timers/promises";

/** A place in a list, the newest first. */
export interface Position {
    createdAt: number;
    id: string;
}

export interface PageRequest {
    /** The position that an earlier page returned. */
    before?: Position | undefined;
    /** @default no limit */
    limit?: number | undefined;
}

export interface Page<Item> {
    items: Item[];
    /** Undefined on the last page. */
    next: Position | undefined;
}

interface ReadPageOptions<Item> extends PageRequest {
    /** Reads as many items after a position. The statement contains `isAfter` and `inOrder`. */
    read: (position: Position & { size: number }) => Promise<Item[]>;
    /** Returns the items that the page shows. */
    select: (items: Item[]) => Item[] | Promise<Item[]>;
}

/** So many rows are read at once. */
export const maxPart = 500;

const beginning: Position = { createdAt: Number.MAX_SAFE_INTEGER, id: "" };

export const isAfter = "created_at <= :createdAt AND (created_at < :createdAt OR id < :id)";
export const inOrder = "ORDER BY created_at DESC, id DESC LIMIT :size";

/**
 * Reads as many items as the page has if all of them are wanted, and otherwise parts of the list, so that the embedded
 * database answers others meanwhile.
 */
export async function readPage<Item extends { createdAt: Date; id: string }>({
    before = beginning,
    limit = Infinity,
    read,
    select,
}: ReadPageOptions<Item>): Promise<Page<Item>> {
    const found: Item[] = [];
    let position = before;
    for (let size = Math.min(limit + 1, maxPart); found.length <= limit; size = maxPart) {
        const items = await read({ ...position, size });
        found.push(...(await select(items)));
        const last = items.at(-1);
        if (last === undefined || items.length < size) {
            break;
        }
        position = positionOf(last);
        await setImmediate();
    }
    const items = found.slice(0, limit);
    const end = found.length > limit ? items.at(-1) : undefined;
    return { items, next: end && positionOf(end) };
}

function positionOf({ createdAt, id }: { createdAt: Date; id: string }): Position {
    return { createdAt: createdAt.getTime(), id };
}

/** The text of a position, as clients repeat it. */
export function cursorOf({ createdAt, id }: Position): string {
    return `${createdAt}.${id}`;
}

/** Parses a cursor that the request's schema has accepted. */
export function parseCursor(cursor: string | undefined): Position | undefined {
    const [createdAt, id = ""] = cursor?.split(".") ?? [];
    return createdAt === undefined ? undefined : { createdAt: Number(createdAt), id };
}
