import { likeOf, type SqlValues } from "../database/database.js";
import { type PageRequest } from "./read-page.js";

/** A statement looks for so many domains in keys. */
const maxReach = 20;

export interface KeyFilter extends PageRequest {
    /** The id, or a part of the name or of a domain, in small letters. */
    search?: string | undefined;
    /** Leaves out most keys that the domains and patterns of a caller do not contain; null for none. */
    reach?: readonly string[] | null | undefined;
}

/** The condition for the keys of a filter, as the end of a `WHERE`. */
export function conditionOf({ search = "", reach = null }: Omit<KeyFilter, keyof PageRequest>) {
    const near = nearTo(reach);
    return {
        condition: `${search === "" ? "" : `AND ${isFound}`} ${near.sql}`,
        values: { ...near.values, ...(search === "" ? {} : { search, like: likeOf(search) }) },
    };
}

const isFound = `(id = :search OR lower(COALESCE(title, name)) LIKE :like ESCAPE '\\'
    OR domains LIKE :like ESCAPE '\\')`;

/** A condition for keys that may be within a reach: one of their domains is, or they have projects only. */
function nearTo(reach: readonly string[] | null): { sql: string; values: SqlValues } {
    if (reach === null || reach.length > maxReach) {
        return { sql: reach === null ? "" : "AND domains IS NOT NULL", values: {} };
    }
    const texts = reach.map((each) => likeOf(each.startsWith("*.") ? `${each.slice(1)}"` : `"${each}"`));
    const values = Object.fromEntries(texts.map((text, place) => [`near${place}`, text]));
    const isNear = Object.keys(values).map((name) => `domains LIKE :${name} ESCAPE '\\'`);
    return { sql: `AND (${["domains = '[]'", ...isNear].join(" OR ")})`, values };
}
