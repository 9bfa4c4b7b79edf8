import { asRecord, isRecord } from "../../text/json-values.js";
import { type Json, nameOfReference } from "../document/references.js";

const maxTypes = 10;

/** The bodies of a request or an answer, by their types. */
export function contentOf(holder: Json | undefined): Json {
    return asRecord(holder?.["content"]);
}

/** The types of a body, those that have the same model together. */
export function bySchema(content: Json): { types: string[]; schema: unknown; media: unknown }[] {
    const groups: { types: string[]; schema: unknown; media: unknown }[] = [];
    for (const [type, media] of Object.entries(content).slice(0, maxTypes)) {
        const schema = isRecord(media) ? media["schema"] : undefined;
        const name = nameOfReference(schema);
        const same = groups.find((group) => name !== undefined && nameOfReference(group.schema) === name);
        if (same === undefined) {
            groups.push({ types: [type], schema, media });
        } else {
            same.types.push(type);
        }
    }
    return groups;
}
