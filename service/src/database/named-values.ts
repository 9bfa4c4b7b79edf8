import { type SqlValue, type SqlValues } from "./database.js";

const name = /(?<!:):([A-Za-z]\w*)/g;

/** The statement with `$1`, `$2` and so on for its `:name`s, and their values in this order. */
export function withPositions(sql: string, values: SqlValues): { text: string; values: SqlValue[] } {
    const names: string[] = [];
    const text = sql.replace(name, (_whole, each: string) => {
        const known = names.indexOf(each);
        return `$${known === -1 ? names.push(each) : known + 1}`;
    });
    return { text, values: names.map((each) => values[each] ?? null) };
}
