import { createHash, randomBytes } from "node:crypto";
import { listOf, type ServiceDatabase, type SqlValues } from "../database/database.js";
import { inOrder, isAfter, type Page, type PageRequest, readPage } from "./read-page.js";

/** A session that nobody uses ends; pages that only listen do not use it. */
const idleMs = 2 * 3600 * 1000;
/** How exact the time of the last use is. */
const seenMs = 60_000;
/** So many sessions of one key or person exist at once: a new one ends the oldest. */
const maxOfOwner = 100;

/** A session of a person. */
export interface SessionRecord {
    id: string;
    /** The name of the key or person. */
    name: string;
    /** The id of a key, or `user:` and the subject of a person; null for the service's own key. */
    ownerId: string | null;
    /** Where the person signed in. */
    address: string | null;
    createdAt: Date;
    /** The last use, exact to a minute. */
    seenAt: Date;
    expiresAt: Date;
    /** Who signed in, as JSON. */
    content: string;
}

type NewSession = Pick<SessionRecord, "name" | "ownerId" | "address" | "content"> & { forMs: number };

interface Row {
    id: string;
    token_sha256: string;
    owner_id: string | null;
    name: string;
    content: string;
    address: string | null;
    created_at: number;
    seen_at: number;
    expires_at: number;
}

/** A session that was found by its token. */
interface FoundSession {
    id: string;
    content: string;
    isSeenLately: boolean;
}

/** The sessions that have not ended, by digests of random tokens. All processes share them. */
export class SessionRecords {
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;

    constructor(database: ServiceDatabase, clock: () => number) {
        this.#database = database;
        this.#clock = clock;
    }

    /** @returns the token of the new session, which is not stored */
    async add({ name, ownerId, address, content, forMs }: NewSession): Promise<string> {
        const now = this.#clock();
        const token = randomBytes(32).toString("base64url");
        const id = `ss_${randomBytes(8).toString("hex")}`;
        await this.#database.run(`DELETE FROM sessions WHERE NOT (${isAlive})`, this.#times());
        await this.#database.run(
            `INSERT INTO sessions (id, token_sha256, owner_id, name, content, address, created_at, seen_at, expires_at)
             VALUES (:id, :sha256, :ownerId, :name, :content, :address, :now, :now, :expiresAt)`,
            {
                ...{ id, ownerId, name, content, address, now },
                sha256: sha256Of(token),
                expiresAt: now + forMs,
            },
        );
        const own = ofOwner(ownerId);
        await this.#database.run(
            `DELETE FROM sessions WHERE ${own.sql} AND id NOT IN (SELECT id FROM sessions WHERE ${own.sql}
                ORDER BY (id = :id) DESC, created_at DESC, id DESC LIMIT ${maxOfOwner})`,
            { ...own.values, id },
        );
        return token;
    }

    /** The sessions of those tokens whose sessions have not ended. */
    async find(tokens: readonly string[]): Promise<ReadonlyMap<string, FoundSession>> {
        if (tokens.length === 0) {
            return new Map();
        }
        const tokenOf = new Map(tokens.map((token) => [sha256Of(token), token]));
        const wanted = listOf("token", [...tokenOf.keys()]);
        const rows = await this.#database.all<Row>(
            `SELECT * FROM sessions WHERE token_sha256 IN (${wanted.sql}) AND ${isAlive}`,
            { ...wanted.values, ...this.#times() },
        );
        const lately = this.#clock() - seenMs;
        return new Map(
            rows.map(({ id, token_sha256: sha256, content, seen_at: seenAt }) => [
                tokenOf.get(sha256) ?? "",
                { id, content, isSeenLately: seenAt > lately },
            ]),
        );
    }

    /** Records a use. Never rejects, because a database that accepts no writes must not refuse readers. */
    async use(id: string): Promise<void> {
        await this.#database
            .run("UPDATE sessions SET seen_at = :now WHERE id = :id AND seen_at < :now", { id, now: this.#clock() })
            .catch(() => undefined);
    }

    /**
     * A page of the sessions, the newest first.
     *
     * @param ownerId - only the sessions of this owner; undefined for all
     * @param select - returns the sessions that the page shows
     */
    async list(
        { ownerId, ...page }: PageRequest & { ownerId: string | null | undefined },
        select: (sessions: SessionRecord[]) => Promise<SessionRecord[]>,
    ): Promise<Page<SessionRecord>> {
        const own = ownerId === undefined ? { sql: "1 = 1", values: {} } : ofOwner(ownerId);
        return readPage({
            ...page,
            read: async (position) => {
                const rows = await this.#database.all<Row>(
                    `SELECT * FROM sessions WHERE ${isAfter} AND ${isAlive} AND ${own.sql} ${inOrder}`,
                    { ...own.values, ...this.#times(), ...position },
                );
                return rows.map(toRecord);
            },
            select,
        });
    }

    async get(id: string): Promise<SessionRecord | undefined> {
        const row = await this.#database.get<Row>(`SELECT * FROM sessions WHERE id = :id AND ${isAlive}`, {
            id,
            ...this.#times(),
        });
        return row && toRecord(row);
    }

    /** Ends a session on every process. */
    async end(id: string): Promise<void> {
        await this.#database.run("DELETE FROM sessions WHERE id = :id", { id });
    }

    #times() {
        const now = this.#clock();
        return { now, idle: now - idleMs, future: now + maxClockStepMs };
    }
}

/** A session that begins later than this was added before the clock was set back, and would live too long. */
const maxClockStepMs = 300_000;

const isAlive = "expires_at > :now AND seen_at > :idle AND created_at <= :future";

function ofOwner(ownerId: string | null): { sql: string; values: SqlValues } {
    return ownerId === null
        ? { sql: "owner_id IS NULL", values: {} }
        : { sql: "owner_id = :ownerId", values: { ownerId } };
}

function toRecord(row: Row): SessionRecord {
    return {
        id: row.id,
        name: row.name,
        ownerId: row.owner_id,
        address: row.address,
        createdAt: new Date(row.created_at),
        seenAt: new Date(row.seen_at),
        expiresAt: new Date(row.expires_at),
        content: row.content,
    };
}

function sha256Of(token: string): string {
    return createHash("sha256").update(token).digest("hex");
}
