import { beginningOf } from "@pulumi-static-export/contract";

/** Stands for what differs between failures with the same reason. */
export const anyText = "…";

/** An error begins with its reason; what follows is details. */
const maxReason = 300;
/** Quoted text of more characters is a part of the reason. */
const quoted = /"[^"\n]{1,200}"|`[^`\n]{1,200}`|“[^”\n]{1,200}”/g;

/**
 * The reason of an error: its text without what differs between failures that have the same cause, such as names of
 * files, addresses, ids, numbers and quoted text. Never empty.
 */
export function reasonOf(error: string): string {
    const words = beginningOf(error, maxReason).replace(quoted, anyText).split(/\s+/);
    const shown: string[] = [];
    for (const word of words.map(withoutName)) {
        // Of several names in a row, such as the words of a title, there may be any number.
        if (word !== anyText || shown.at(-1) !== anyText) {
            shown.push(word);
        }
    }
    return shown.join(" ").trim() || anyText;
}

/** Leaves the punctuation around a name. */
function withoutName(word: string): string {
    const [, before = "", name = "", after = ""] = /^([([{<'"]?)(.*?)([)\]}>'".,:;!?]{0,3})$/s.exec(word) ?? [];
    const isName = /\d|[/\\]|[^.]\.[^.]/.test(name);
    return isName ? before + anyText + after : word;
}

/** The parts of a text that is looked for in errors: it may be a reason, which contains `…` for any text. */
export function partsOf(text: string): string[] {
    const parts = text.toLowerCase().split(anyText);
    return parts
        .map((part) => part.trim())
        .filter((part) => part !== "")
        .slice(0, maxParts);
}

const maxParts = 10;
