import { toOneLine } from "@pulumi-static-export/exporter";
import { listOf, type ServiceDatabase } from "../database/database.js";
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

const maxCharacters = 1000;

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

    /** The newest first. @param before - the position that an earlier page returned */
    async list(limit: number, before = Number.MAX_SAFE_INTEGER): Promise<{ entries: AuditEntry[]; next?: number }> {
        const rows = await this.#database.all<{
            sequence: number;
            at: number;
            actor: string;
            actor_id: string | null;
            act: string;
            address: string | null;
        }>("SELECT * FROM audit_entries WHERE sequence < :before ORDER BY sequence DESC LIMIT :limit", {
            before,
            limit: limit + 1,
        });
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
