import { escape } from "node:querystring";
import { seenCharacters } from "./terminal-reader.js";

/** Shorter values are common words. */
export const minSecretCharacters = 6;

/**
 * The forms in which programs print a secret: as it is, line by line, and each of them as JSON, in an address, or as
 * Base64, also within a longer Base64 text such as `user:password`.
 */
export function formsOf(secret: string): string[] {
    const lines = secret.split(/[\r\n]/).map((line) => line.trim());
    const values = [secret, ...lines].filter(isLong).map((value) => value.toWellFormed());
    const forms = values.flatMap((value) => [
        value,
        ...jsonForms(value),
        ...addressForms(value),
        ...base64Forms(value),
    ]);
    return [...new Set(forms.map(seenCharacters).filter(isLong))];
}

function isLong({ length }: string): boolean {
    return length >= minSecretCharacters;
}

function jsonForms(value: string): string[] {
    const json = JSON.stringify(value).slice(1, -1);
    const ascii = Array.from({ length: json.length }, (_, at) => {
        const code = json.charCodeAt(at);
        return code < 0x80 ? json.charAt(at) : `\\u${code.toString(16).padStart(4, "0")}`;
    });
    return [json, ascii.join("")];
}

function addressForms(value: string): string[] {
    const forms = [
        encodeURI(value),
        encodeURIComponent(value),
        escape(value),
        Object.assign(new URL("http://user@host"), { password: value }).password,
        new URLSearchParams({ "": value }).toString().slice(1),
    ];
    return forms.flatMap((form) => [form, form.replace(/%../g, (code) => code.toLowerCase())]);
}

/** Without the characters that also depend on the text before or after. */
function base64Forms(value: string): string[] {
    const bytes = Buffer.from(value);
    return [0, 1, 2].flatMap((before) => {
        const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64url");
        const inside = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
        return [inside, inside.replaceAll("-", "+").replaceAll("_", "/")];
    });
}
