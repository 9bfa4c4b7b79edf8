import { encodedValue } from "./encoded-value.js";
import { credentials, scannedValues } from "./scanned-values.js";
import { describeSensitive, describeWhole, isReference } from "./sensitive-text.js";
import { type TextValue } from "./text-value.js";
import { yamlValues } from "./yaml-values.js";

/** How deep texts inside other texts are read. */
const maxDepth = 8;
const unreadableBase64 = "Base64 of something other than text";
const invalidJson = "neither valid JSON nor valid YAML";

export interface TextToSearch {
    /** The name of the property that contains the text. */
    readonly name: string;
    readonly text: string;
    /** Whether the text's place shows that it is a secret, as in a Secret of Kubernetes. */
    readonly isSecret?: boolean;
}

export interface SecretHandling {
    /** Removes what need not be searched from a text that is to be described: the secrets that are already known. */
    readonly withoutKnown: (text: string) => string;
    /** Returns the replacement of a secret, of which `kind` describes the format. */
    readonly replace: (secret: string, kind: string) => string;
    readonly onUnreadable?: (reason: string) => void;
}

/**
 * Replaces the secrets in a text, which may be JSON, YAML, the variables of a .env file, a script, or Base64 of any of
 * these, at any depth. Does not change the rest of the text.
 */
export function replaceSecrets(searched: TextToSearch, handling: SecretHandling): string {
    return new SecretSearch(handling).search(searched, 0).replaced;
}

interface Searched {
    readonly replaced: string;
    /** The text without the secrets that were found in it, which do not make the rest secret. */
    readonly rest: string;
}

class SecretSearch {
    constructor(private readonly handling: SecretHandling) {}

    search({ name, text, isSecret = false }: TextToSearch, depth: number): Searched {
        const unknown = this.handling.withoutKnown(text);
        if (unknown.trim() === "" || (name === credentials && isUserName(unknown, text))) {
            return { replaced: text, rest: "" };
        }
        const yaml = yamlValues(text);
        const isOneValue = isSecret || (!text.includes("\n") && yaml === undefined);
        const whole =
            (isOneValue ? describeSensitive : describeWhole)(name, unknown) ?? (isSecret ? "a key" : undefined);
        const found = whole === undefined ? this.#searchIn(text, yaml, depth) : undefined;
        const rest = found === undefined || found.rest === text ? unknown : this.handling.withoutKnown(found.rest);
        const kind = whole ?? (isOneValue && rest === unknown ? undefined : describeSensitive(name, rest));
        if (found !== undefined && kind === undefined) {
            return { ...found, rest };
        }
        return { replaced: this.handling.replace(text, kind ?? ""), rest: "" };
    }

    #searchIn(text: string, yaml: TextValue[] | undefined, depth: number): Searched {
        let [replaced, rest] = ["", ""];
        let position = 0;
        for (const value of this.#valuesIn(text, yaml, depth)) {
            const { start, end, encode } = value;
            const found = isReference(value.text) ? { replaced: value.text, rest: "" } : this.search(value, depth + 1);
            const write = (changed: string) =>
                text.slice(position, start) + (changed === value.text ? text.slice(start, end) : encode(changed));
            replaced += write(found.replaced);
            rest += write(found.rest);
            position = end;
        }
        return { replaced: replaced + text.slice(position), rest: rest + text.slice(position) };
    }

    #valuesIn(text: string, yaml: TextValue[] | undefined, depth: number): TextValue[] {
        const encoded = encodedValue(text);
        if (encoded === "unreadable") {
            return this.#skip(unreadableBase64);
        }
        const values =
            encoded === undefined ? withoutOverlaps([...(yaml ?? []), ...scannedValues(text)], text) : [encoded];
        if (depth >= maxDepth && values.length > 0) {
            return this.#skip(`text in ${maxDepth} other texts`);
        }
        if (encoded === undefined && yaml === undefined && /^\s*(\{\s*["'}]|\[\s*[{"])/.test(text)) {
            this.#skip(invalidJson);
        }
        return values;
    }

    #skip(reason: string): [] {
        this.handling.onUnreadable?.(reason);
        return [];
    }
}

/** Whether only the user name of Basic credentials remains, because their password is known. */
function isUserName(rest: string, text: string): boolean {
    return rest !== text && /^[^:]*:$/.test(Buffer.from(rest, "base64").toString("utf8"));
}

/**
 * The values in the order of the text. Of values that overlap, the one counts that was found first. A value that is the
 * whole text does not count, because it contains no more than the text.
 */
function withoutOverlaps(values: readonly TextValue[], text: string): TextValue[] {
    const taken = new Uint8Array(text.length);
    return values
        .filter(({ start, end }) => {
            const isFree = end - start < text.length && !taken.subarray(start, end).includes(1);
            taken.fill(isFree ? 1 : 0, start, isFree ? end : start);
            return isFree;
        })
        .sort((one, other) => one.start - other.start);
}
