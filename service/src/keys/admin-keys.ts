import { createHash, randomBytes } from "node:crypto";
import { type ServiceDatabase } from "../database/database.js";

/**
 * The permissions of a key: look at exports and fetch their bundles, start exports, use agent jobs, or publish updates.
 */
export const keyScopes = ["read", "export", "agent", "update"] as const;
export type KeyScope = (typeof keyScopes)[number];

/** How urgent the jobs of a key are, the most urgent first. */
export const keyPriorities = ["normal", "low"] as const;
export type KeyPriority = (typeof keyPriorities)[number];

export interface NewAdminKey {
    name: string;
    scopes: readonly KeyScope[];
    /** The canonical domains that the key may export. */
    domains: readonly string[] | null;
    /** The projects whose agent jobs the key may use. If `domains` is also null, null means all projects. */
    projects: readonly string[] | null;
    expiresAt: Date | null;
    /** The priority of the key's exports and updates. @default normal */
    priority?: KeyPriority | undefined;
    /** How many of the key's exports and updates may wait. @default no limit */
    maxQueuedJobs?: number | null | undefined;
    /** How many of the key's exports and updates may run at the same time, in all processes. @default no limit */
    maxRunningJobs?: number | null | undefined;
}

export interface AdminKey extends Required<NewAdminKey> {
    id: string;
    priority: KeyPriority;
    maxQueuedJobs: number | null;
    maxRunningJobs: number | null;
    createdAt: Date;
    revokedAt: Date | null;
}

interface Row {
    id: string;
    name: string;
    scopes: string;
    domains: string | null;
    projects: string | null;
    created_at: number;
    expires_at: number | null;
    priority: KeyPriority;
    max_queued: number | null;
    max_running: number | null;
    revoked_at: number | null;
}

/** An active key already has this name. */
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

    /** @returns the key and its secret, which is not stored @throws KeyNameTakenError */
    async create({
        name,
        scopes,
        domains,
        projects,
        expiresAt,
        priority = "normal",
        maxQueuedJobs = null,
        maxRunningJobs = null,
    }: NewAdminKey): Promise<{ key: AdminKey; secret: string }> {
        const secret = `admin_${randomBytes(32).toString("hex")}`;
        const row = await this.#database.get<Row>(
            `INSERT INTO admin_keys
                (id, name, sha256, scopes, domains, projects, created_at, expires_at, priority, max_queued, max_running)
             VALUES (:id, :name, :sha256, :scopes, :domains, :projects, :now, :expiresAt, :priority, :maxQueuedJobs,
                :maxRunningJobs)
             ON CONFLICT (name) WHERE revoked_at IS NULL DO NOTHING RETURNING *`,
            {
                id: `ak_${randomBytes(8).toString("hex")}`,
                name,
                sha256: digest(secret),
                scopes: JSON.stringify(scopes),
                domains: domains === null ? null : JSON.stringify(domains),
                projects: projects === null ? null : JSON.stringify(projects),
                now: this.#clock(),
                expiresAt: expiresAt?.getTime() ?? null,
                priority,
                maxQueuedJobs,
                maxRunningJobs,
            },
        );
        if (row === undefined) {
            throw new KeyNameTakenError(`There is a key ${name} already: revoke it, or choose another name.`);
        }
        return { key: toKey(row), secret };
    }

    /** All keys, including expired and revoked ones, oldest first. */
    async list(): Promise<AdminKey[]> {
        return (await this.#database.all<Row>("SELECT * FROM admin_keys ORDER BY created_at, id")).map(toKey);
    }

    /** @returns the key, or undefined if no active key has this name */
    async revoke(name: string): Promise<AdminKey | undefined> {
        const row = await this.#database.get<Row>(
            "UPDATE admin_keys SET revoked_at = :now WHERE name = :name AND revoked_at IS NULL RETURNING *",
            { name, now: this.#clock() },
        );
        return row === undefined ? undefined : toKey(row);
    }

    /** The key that a client sent, unless it was revoked or has expired. */
    async find(secret: string): Promise<AdminKey | undefined> {
        const row = await this.#database.get<Row>(
            `SELECT * FROM admin_keys WHERE sha256 = :sha256 AND revoked_at IS NULL
             AND (expires_at IS NULL OR expires_at > :now)`,
            { sha256: digest(secret), now: this.#clock() },
        );
        return row === undefined ? undefined : toKey(row);
    }
}

function digest(secret: string): string {
    return createHash("sha256").update(secret).digest("hex");
}

function toKey(row: Row): AdminKey {
    return {
        id: row.id,
        name: row.name,
        scopes: JSON.parse(row.scopes) as KeyScope[],
        domains: row.domains === null ? null : (JSON.parse(row.domains) as string[]),
        projects: row.projects === null ? null : (JSON.parse(row.projects) as string[]),
        createdAt: new Date(row.created_at),
        expiresAt: row.expires_at === null ? null : new Date(row.expires_at),
        revokedAt: row.revoked_at === null ? null : new Date(row.revoked_at),
        priority: row.priority,
        maxQueuedJobs: row.max_queued,
        maxRunningJobs: row.max_running,
    };
}
