import { createHash, randomBytes } from "node:crypto";
import { listOf, type ServiceDatabase, type SqlClient } from "../database/database.js";
import { conditionOf, type KeyFilter } from "./key-filter.js";
import { inOrder, isAfter, maxPart, type Page, readPage } from "./read-page.js";

/**
 * The permissions of a key: look at exports and fetch their bundles, start exports, use agent jobs, publish updates, or
 * manage keys.
 */
export const keyScopes = ["read", "export", "agent", "update", "keys"] as const;
export type KeyScope = (typeof keyScopes)[number];

export interface NewAdminKey {
    name: string;
    scopes: readonly KeyScope[];
    /** The canonical domains that the key may export. */
    domains: readonly string[] | null;
    /** The projects whose agent jobs the key may use. If `domains` is also null, null means all projects. */
    projects: readonly string[] | null;
    expiresAt: Date | null;
    /** The name of the person or key that creates the key. @default unknown */
    createdBy?: string | null | undefined;
    /** The id of that key, or `user:` and the subject of that person. @default unknown */
    createdById?: string | null | undefined;
}

export interface AdminKey extends Defined<NewAdminKey> {
    id: string;
    createdAt: Date;
    revokedAt: Date | null;
    /** Exact to a minute; null for a key that was never used. */
    lastUsedAt: Date | null;
}

type Defined<T> = { [Name in keyof T]-?: Exclude<T[Name], undefined> };

/** What a key may do. */
export type KeyRights = Omit<Defined<NewAdminKey>, "name" | "createdBy" | "createdById">;

interface Row {
    id: string;
    /** Unique among the keys that are not revoked. */
    name: string;
    /** The name that people gave to the key, if it is not unique. */
    title: string | null;
    scopes: string;
    domains: string | null;
    projects: string | null;
    created_at: number;
    expires_at: number | null;
    created_by: string | null;
    created_by_id: string | null;
    revoked_at: number | null;
    last_used_at: number | null;
}

interface Digests {
    sha256: string;
    previous_sha256: string | null;
    /** The end of the time in which the previous secret is accepted. */
    previous_until: number | null;
}

/** How exact the time of a key's last use is: a key that is used all the time is not written with each request. */
const lastUseMs = 60_000;

interface CreatedKey {
    key: AdminKey;
    secret: string;
}

/** An active key that the creator sees already has this name. */
export class KeyNameTakenError extends Error {
    override readonly name = "KeyNameTakenError";
}

/**
 * Named keys of clients. Every request reads them from the database, so a change takes effect immediately in all
 * processes.
 */
export class AdminKeys {
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;

    constructor(database: ServiceDatabase, clock: () => number) {
        this.#database = database;
        this.#clock = clock;
    }

    /**
     * @param isSeen - whether the creator sees a key; a key that it does not see may have the same name
     * @param within - the transaction to run in @default a new one
     * @returns the key and its secret, which is not stored
     * @throws KeyNameTakenError
     */
    async create(
        wanted: NewAdminKey,
        isSeen: (key: AdminKey) => boolean = () => true,
        within?: SqlClient,
    ): Promise<CreatedKey> {
        if (within === undefined) {
            return this.#database.transaction((transaction) => this.create(wanted, isSeen, transaction), "starts");
        }
        const { name } = wanted;
        const same = await within.all<Row>(
            "SELECT * FROM admin_keys WHERE (name = :name OR title = :name) AND revoked_at IS NULL",
            { name },
        );
        if (same.map(toKey).some(isSeen)) {
            throw new KeyNameTakenError(`Key ${name} already exists: revoke it, or choose another name.`);
        }
        return this.#insert(wanted, same.length > 0, within);
    }

    async #insert(
        { name, createdBy = null, createdById = null, ...rights }: NewAdminKey,
        isNameTaken: boolean,
        transaction: SqlClient,
    ): Promise<CreatedKey> {
        const secret = createSecret();
        const id = `ak_${randomBytes(8).toString("hex")}`;
        const row = await transaction.get<Row>(
            `INSERT INTO admin_keys
                (id, name, title, sha256, scopes, domains, projects, created_at, expires_at, created_by, created_by_id)
             VALUES (:id, :name, :title, :sha256, :scopes, :domains, :projects, :now, :expiresAt, :createdBy,
                :createdById) RETURNING *`,
            {
                id,
                name: isNameTaken ? `${name} (${id})` : name,
                title: isNameTaken ? name : null,
                sha256: digest(secret),
                ...columnsOf(rights),
                now: this.#clock(),
                createdBy,
                createdById,
            },
        );
        return { key: toKey(row as Row), secret };
    }

    /**
     * A page of the keys, including expired and revoked ones, the newest first.
     *
     * @param isWanted - whether the page shows a key
     */
    async list({ before, limit, ...filter }: KeyFilter, isWanted: (key: AdminKey) => boolean): Promise<Page<AdminKey>> {
        const { condition, values } = conditionOf(filter);
        return readPage({
            ...{ before, limit },
            read: async (position) => {
                const rows = await this.#database.all<Row>(
                    `SELECT * FROM admin_keys WHERE ${isAfter} ${condition} ${inOrder}`,
                    { ...values, ...position },
                );
                return rows.map(toKey);
            },
            select: (keys) => keys.filter(isWanted),
        });
    }

    /** The key with an id, also if it was revoked or has expired. @param within - the transaction to run in */
    async get(id: string, within: SqlClient = this.#database): Promise<AdminKey | undefined> {
        return findKey(id, within);
    }

    /**
     * Changes what a key may do. The secret stays.
     *
     * @param within - the transaction to run in
     * @returns undefined if no active key has this id
     */
    async change(id: string, rights: KeyRights, within: SqlClient): Promise<AdminKey | undefined> {
        const row = await within.get<Row>(
            `UPDATE admin_keys SET scopes = :scopes, domains = :domains, projects = :projects, expires_at = :expiresAt
             WHERE id = :id AND ${isActive} RETURNING *`,
            { id, ...columnsOf(rights), now: this.#clock() },
        );
        return row && toKey(row);
    }

    /**
     * Replaces the secret of a key.
     *
     * @param graceMs - for how long the earlier secret is still accepted
     * @param within - the transaction to run in
     * @returns the key and its new secret, or undefined if no active key has this id
     */
    async rotate(
        id: string,
        graceMs: number,
        within: SqlClient = this.#database,
    ): Promise<{ key: AdminKey; secret: string } | undefined> {
        const secret = createSecret();
        const now = this.#clock();
        const row = await within.get<Row>(
            `UPDATE admin_keys SET previous_sha256 = sha256, previous_until = :until, sha256 = :sha256
             WHERE id = :id AND ${isActive} RETURNING *`,
            { id, until: now + graceMs, sha256: digest(secret), now },
        );
        return row && { key: toKey(row), secret };
    }

    /** @param within - the transaction to run in @returns the key, or undefined if no active key has this id */
    async revoke(id: string, within: SqlClient): Promise<AdminKey | undefined> {
        const row = await within.get<Row>(
            "UPDATE admin_keys SET revoked_at = :now WHERE id = :id AND revoked_at IS NULL RETURNING *",
            { id, now: this.#clock() },
        );
        return row && toKey(row);
    }

    /**
     * The active keys that a key created, and those that they created, the newest first. Reads level by level: in one
     * recursive statement, both databases read the whole table.
     *
     * @param within - the transaction to run in @default a new one for each level
     */
    async madeBy(id: string, within: SqlClient = this.#database): Promise<AdminKey[]> {
        const known = new Set([id]);
        const made: AdminKey[] = [];
        for (const queue = [id]; queue.length > 0;) {
            const creators = listOf("creator", queue.splice(0, maxPart));
            const rows = await within.all<Row>(
                `SELECT * FROM admin_keys WHERE created_by_id IN (${creators.sql})`,
                creators.values,
            );
            for (const key of rows.map(toKey).filter((each) => !known.has(each.id))) {
                known.add(key.id);
                queue.push(key.id);
                made.push(key);
            }
        }
        const now = this.#clock();
        return made
            .filter(({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt?.getTime() ?? Infinity) > now)
            .sort((one, other) => Number(other.createdAt) - Number(one.createdAt) || other.id.localeCompare(one.id));
    }

    /** The key that a client sent, unless it was revoked or has expired. Records the use. */
    find(secret: string): Promise<AdminKey | undefined> {
        return this.findByDigest(digest(secret));
    }

    /** The key with a secret, by the digest of the secret: ends with the secret, not only with the key. */
    async findByDigest(sha256: string): Promise<AdminKey | undefined> {
        const now = this.#clock();
        const values = { sha256, now };
        const row =
            (await this.#database.get<Row>(
                `SELECT * FROM admin_keys WHERE sha256 = :sha256 AND ${isActive}`,
                values,
            )) ??
            (await this.#database.get<Row>(
                `SELECT * FROM admin_keys WHERE previous_sha256 = :sha256 AND previous_until > :now AND ${isActive}`,
                values,
            ));
        return row && this.#used(row, now);
    }

    /** The active keys with one of these secrets, by the digest of the secret. Records no use. */
    async findAllByDigest(digests: readonly string[]): Promise<ReadonlyMap<string, AdminKey>> {
        const wanted = listOf("sha", [...new Set(digests)]);
        const now = this.#clock();
        const rows = await this.#database.all<Row & Digests>(
            `SELECT * FROM admin_keys WHERE (sha256 IN (${wanted.sql})
                OR (previous_sha256 IN (${wanted.sql}) AND previous_until > :now)) AND ${isActive}`,
            { ...wanted.values, now },
        );
        return new Map(
            rows.flatMap((row) => {
                const { sha256, previous_sha256: previous, previous_until: until } = row;
                const accepted = previous === null || Number(until) <= now ? [sha256] : [sha256, previous];
                return accepted.map((each) => [each, toKey(row)]);
            }),
        );
    }

    /** The names of keys, by id. */
    async namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
        const wanted = listOf("id", [...new Set(ids)]);
        const rows = await this.#database.all<{ id: string; name: string }>(
            `SELECT id, COALESCE(title, name) AS name FROM admin_keys WHERE id IN (${wanted.sql})`,
            wanted.values,
        );
        return new Map(rows.map(({ id, name }) => [id, name]));
    }

    async #used(row: Row, now: number): Promise<AdminKey> {
        if ((row.last_used_at ?? 0) <= now - lastUseMs) {
            await this.#database
                .run(
                    `UPDATE admin_keys SET last_used_at = :now
                     WHERE id = :id AND (last_used_at IS NULL OR last_used_at <= :before)`,
                    { id: row.id, now, before: now - lastUseMs },
                )
                // A database that accepts no writes must not refuse readers.
                .catch(() => undefined);
        }
        return toKey(row);
    }
}

/** The key with an id, also if it was revoked or has expired. */
export async function findKey(id: string, within: SqlClient): Promise<AdminKey | undefined> {
    const row = await within.get<Row>("SELECT * FROM admin_keys WHERE id = :id", { id });
    return row && toKey(row);
}

const isActive = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > :now)";

function createSecret(): string {
    return `admin_${randomBytes(32).toString("hex")}`;
}

export function digest(secret: string): string {
    return createHash("sha256").update(secret).digest("hex");
}

function columnsOf({ scopes, domains, projects, expiresAt }: KeyRights) {
    return {
        scopes: JSON.stringify(scopes),
        domains: domains === null ? null : JSON.stringify(domains),
        projects: projects === null ? null : JSON.stringify(projects),
        expiresAt: expiresAt?.getTime() ?? null,
    };
}

function toKey(row: Row): AdminKey {
    return {
        id: row.id,
        name: row.title ?? row.name,
        scopes: JSON.parse(row.scopes) as KeyScope[],
        domains: row.domains === null ? null : (JSON.parse(row.domains) as string[]),
        projects: row.projects === null ? null : (JSON.parse(row.projects) as string[]),
        createdAt: new Date(row.created_at),
        expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
        revokedAt: row.revoked_at === null ? null : new Date(row.revoked_at),
        createdBy: row.created_by,
        createdById: row.created_by_id,
        lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at),
    };
}
