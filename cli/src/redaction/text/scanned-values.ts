import { asItIs, type TextValue } from "./text-value.js";
import { keyFormats, knownTokens } from "./token-formats.js";

const privateKey = /-----BEGIN [\w ]*PRIVATE KEY[\w ]*-----[^]{0,20000}?-----END [\w ]*PRIVATE KEY[\w ]*-----/g;
const address = /\b[a-z][a-z\d+.-]{1,30}:\/\/[^\s"'`<>\\]+/gi;
/** The name of the value of an `Authorization` header. */
export const credentials = "credentials of a header";
const authorization = /\b(?:basic|bearer|token)[ \t]+((?=\S{0,60}\d)[A-Za-z\d+/._~-]{12,}=*)/gi;
const option = /(?<![\w-])--?([a-z][\w.-]{0,80})[ \t]+(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'`;&|()<>-][^\s"'`;&|()<>]*))/gi;
const assignment =
    /(?<![\w.])([a-z][\w.-]{0,80})["']?[ \t]*(:=|=>|[=:])[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|(\$\{[\w.:-]+\}|[^\s"'`,;&|()<>[\]{}]+))/gi;

/** Values in a text of any format: private keys, addresses, tokens, options of commands, and assignments. */
export function scannedValues(text: string): TextValue[] {
    return [
        ...[...text.matchAll(privateKey)].map(({ 0: key, index }) => valueAt(index, key, "", true)),
        ...[...text.matchAll(address)].map(({ 0: link, index }) => valueAt(index, link, "", false)),
        ...[...text.matchAll(authorization)].map(({ 0: all, 1: token = "", index }) =>
            valueAt(index + all.length - token.length, token, credentials, true),
        ),
        ...[...text.matchAll(keyFormats)].map(({ 0: key, index }) => valueAt(index, key, "", true)),
        ...knownTokens(text).map(({ start, end }) => valueAt(start, text.slice(start, end), "", true)),
        ...named(text, option, (match) => match.slice(2)),
        ...named(text, assignment, (match) => {
            const [, , separator, ...values] = match;
            const [double, single, bare = ""] = values;
            // Prose contains colons, too.
            const isProse = separator === ":" && double === undefined && single === undefined && !/\d/.test(bare);
            return isProse ? [] : values;
        }),
    ];
}

function valueAt(start: number, text: string, name: string, isSecret: boolean): TextValue {
    return { start, end: start + text.length, name, text, isSecret, encode: asItIs };
}

function named(
    text: string,
    pattern: RegExp,
    valuesOf: (match: RegExpExecArray) => readonly (string | undefined)[],
): TextValue[] {
    return [...text.matchAll(pattern)].flatMap((match) => {
        const value = valuesOf(match).find((each) => each !== undefined) ?? "";
        const start = match.index + match[0].lastIndexOf(value);
        return value === "" ? [] : [valueAt(start, value, match[1] ?? "", false)];
    });
}
