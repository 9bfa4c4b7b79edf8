import { type SqlClient } from "../database/database.js";

/** A name that was not served in this many claims goes first, like a name that was never served. */
const rememberedTurns = 1000;

/** The order in which names, such as those of keys or projects, were last served. */
export class Turns {
    readonly #table: string;
    readonly #name: string;

    /** @param table - a table with a column `turn` @param name - the table's column of names */
    constructor(table: string, name: string) {
        this.#table = table;
        this.#name = name;
    }

    /**
     * An SQL expression to order by: the name that was served longest ago, or never, is first.
     * @param name - an SQL expression
     */
    orderOf(name: string): string {
        return `COALESCE((SELECT turn FROM ${this.#table} t WHERE t.${this.#name} = ${name}), 0)`;
    }

    /** Records that these names were served. @param within - a transaction that excludes all other calls */
    async take(names: readonly string[], within: SqlClient): Promise<void> {
        const last = await within.get<{ turn: number | null }>(`SELECT max(turn) AS turn FROM ${this.#table}`);
        const turn = (last?.turn ?? 0) + 1;
        for (const name of names) {
            await within.run(
                `INSERT INTO ${this.#table} (${this.#name}, turn) VALUES (:name, :turn)
                 ON CONFLICT (${this.#name}) DO UPDATE SET turn = excluded.turn`,
                { name, turn },
            );
        }
        await within.run(`DELETE FROM ${this.#table} WHERE turn <= :forgotten`, { forgotten: turn - rememberedTurns });
    }
}
