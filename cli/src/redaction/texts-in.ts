import { isPropertyName } from "./placeholders/property-name.js";
import { isSecret } from "./pulumi/marked-values.js";

/** All texts and numbers in a value, and keys of maps that are not names of properties; nothing that is encrypted. */
export function* textsIn(value: unknown): Generator<string> {
    if (typeof value === "string" || typeof value === "number") {
        yield String(value);
    } else if (typeof value === "object" && value !== null && !isSecret(value)) {
        for (const [key, member] of Object.entries(value)) {
            if (!isPropertyName(key)) {
                yield key;
            }
            yield* textsIn(member);
        }
    }
}
