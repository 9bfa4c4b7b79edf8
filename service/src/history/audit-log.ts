import { toOneLine } from "@pulumi-static-export/exporter";
import { setImmediate } from "node:timers/promises";
import { foundBy, listOf, type ServiceDatabase, type SqlValues } from "../database/database.js";
import { type LogFields, type ServiceLogger } from "../shared/logger.js";

/** Something that a person or a key did. */
interface NewAuditEntry {
    /** As in messages, such as `Key ci (ak_42)`. */
    actor: string;
    /** The id of a key, or `user:` and the subject of a person; null for the service's own key and for strangers. */
    actorId?: string | null;
    /** The actor's name without the id; undefined for strangers. */
    actorName?: string;
    /** Completes a sentence that begins with the actor, such as `revoked key old (ak_7)`. */
    act: string;
    /** Where the request came from. */
    request: { readonly id: string; readonly ip: string };
    /** Further fields of the log line. */
    fields?: LogFields;
}

interface AuditEntry {
    at: Date;
    actor: string;
    actorId: string | null;
    act: string;
    address: string | null;
}

/** Which entries a list has: those with all of these texts, in the given time. */
export interface AuditFilter {
    actor?: string | undefined;
    act?: string | undefined;
    /** A domain, which the sentence about the act contains. */
    site?: string | undefined;
    since?: Date | undefined;
    until?: Date | undefined;
}

interface Row {
    sequence: number;
    at: number;
    actor: string;
    actor_id: string | null;
    act: string;
    address: string | null;
}

const maxCharacters = 1000;
/** So many entries are read at once. */
const partSize = 5000;
/** A list says how many entries it has, up to this number. */
const maxCounted = 1000;

function conditionOf({ actor, act, site, since, until }: AuditFilter): { condition: string; values: SqlValues } {
    const conditions: string[] = [];
    const values: Record<string, string | number> = {};
    for (const [column, text] of [
        ["actor", actor],
        ["act", act],
        ["act", site],
    ] as const) {
        if (text !== undefined && text.trim() !== "") {
            const name = `text${conditions.length}`;
            conditions.push(`AND lower(${column}) LIKE :${name} ESCAPE '\\'`);
            values[name] = foundBy(text.trim());
        }
    }
    for (const [sign, time] of [
        [">=", since],
        ["<", until],
    ] as const) {
        if (time !== undefined) {
            const name = `time${conditions.length}`;
            conditions.push(`AND at ${sign} :${name}`);
            values[name] = time.getTime();
        }
    }
    return { condition: conditions.join(" "), values };
}

/** Who did what, when, and from where: a line in the log, and a row in the database that people can read. */
export class AuditLog {
    readonly #database: ServiceDatabase;
    readonly #clock: () => number;
    readonly #logger: ServiceLogger;
    #writing: Promise<unknown> = Promise.resolve();

    constructor(database: ServiceDatabase, clock: () => number, logger: ServiceLogger) {
        this.#database = database;
        this.#clock = clock;
        this.#logger = logger;
    }

    /** Never throws: what was done is done, even if the database accepts no more rows. */
    add({ actor, actorId = null, actorName, act, request: { id, ip }, fields = {} }: NewAuditEntry): void {
        const [who, what] = [toOneLine(actor, maxCharacters), toOneLine(act, maxCharacters)];
        const name = actorName === undefined ? null : toOneLine(actorName, maxCharacters);
        this.#logger.info(`${who} ${what}.`, { ...fields, request: id, address: ip, audit: what });
        const values = { at: this.#clock(), actor: who, actorId, name, act: what, address: ip };
        this.#writing = this.#database
            .run(
                `INSERT INTO audit_entries (at, actor, actor_id, actor_name, act, address)
                 VALUES (:at, :actor, :actorId, :name, :act, :address)`,
                values,
            )
            .catch((error: unknown) =>
                this.#logger.error(
                    `An entry of the audit log could not be stored, and is only in this log: ${String(error)}`,
                    { request: id },
                ),
            );
    }

    /** Waits until the newest entry is stored. */
    async close(): Promise<void> {
        await this.#writing;
    }

    /** A page of entries, the newest first. Reads the log in parts, so that the database answers others meanwhile. */
    async list(filter: AuditFilter, limit: number, before?: number): Promise<{ entries: AuditEntry[]; next?: number }> {
        const rows: Row[] = [];
        for await (const part of this.#find(filter, limit + 1, before)) {
            rows.push(...part);
            if (rows.length > limit) {
                break;
            }
        }
        const shown = rows.slice(0, limit);
        const last = shown.at(-1);
        return {
            entries: shown.map(({ at, actor, actor_id: actorId, act, address }) => ({
                at: new Date(at),
                ...{ actor, actorId, act, address },
            })),
            ...(rows.length > limit && last !== undefined ? { next: Number(last.sequence) } : {}),
        };
    }

    /** How many entries a filter finds, or one more than are counted. */
    async count(filter: AuditFilter): Promise<number> {
        let count = 0;
        for await (const part of this.#find(filter, maxCounted + 1)) {
            count += part.length;
            if (count > maxCounted) {
                break;
            }
        }
        return Math.min(count, maxCounted + 1);
    }

    /** The entries of each part of the log that match. @param limit - of each part */
    async *#find(filter: AuditFilter, limit: number, before?: number): AsyncGenerator<Row[]> {
        const { condition, values } = conditionOf(filter);
        const newest = await this.#database.get<{ newest: number | null }>(
            "SELECT max(sequence) AS newest FROM audit_entries",
        );
        const oldest = await this.#database.get<{ oldest: number | null }>(
            "SELECT min(sequence) AS oldest FROM audit_entries",
        );
        const first = Number(oldest?.oldest ?? 0);
        let end = Math.min(before ?? Number.MAX_SAFE_INTEGER, Number(newest?.newest ?? 0) + 1);
        while (end > first) {
            const begin = Math.max(first, end - partSize);
            yield await this.#database.all<Row>(
                `SELECT * FROM audit_entries WHERE sequence >= :begin AND sequence < :end ${condition}
                 ORDER BY sequence DESC LIMIT :limit`,
                { ...values, begin, end, limit },
            );
            end = begin;
            await setImmediate();
        }
    }

    /** The names under which people last did something, by their ids, such as `user:42`. */
    async namesOf(people: readonly string[]): Promise<ReadonlyMap<string, string>> {
        if (people.length === 0) {
            return new Map();
        }
        const wanted = listOf("person", [...new Set(people)]);
        const rows = await this.#database.all<{ actor_id: string; actor_name: string }>(
            `SELECT actor_id, actor_name FROM audit_entries WHERE sequence IN (
                SELECT max(sequence) FROM audit_entries WHERE actor_id IN (${wanted.sql}) GROUP BY actor_id
             ) AND actor_name IS NOT NULL`,
            wanted.values,
        );
        return new Map(rows.map(({ actor_id: id, actor_name: name }) => [id, name]));
    }

    /** Part of the retention. @returns how many jobs it removed: none */
    async removeUnused({ unusedBefore }: { unusedBefore: number }): Promise<number> {
        await this.#database.run("DELETE FROM audit_entries WHERE at < :unusedBefore", { unusedBefore });
        return 0;
    }
}
