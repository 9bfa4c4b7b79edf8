import { type Scope } from "../../text/script-value.js";

const name = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
const literals = new Set(["undefined", "null", "true", "false", "this"]);

/** `{account_id}` in a text, by which an author means these very letters. */
export function placeholderReason(code: string): string {
    const text = code.trim();
    return `{${text}} is shown as it is written, because ${text} has no value here; write \\{${text}} if that is meant`;
}

/** Whether an expression is one name that nothing declares, as in "replace {account_id}". */
export function isPlaceholder(code: string, scope: Scope): boolean {
    const text = code.trim();
    return name.test(text) && !literals.has(text) && !scope.has(text);
}
