import { formsOfSecret } from "@pulumi-static-export/contract";
import { seenCharacters } from "./terminal-reader.js";

/** Shorter values are common words. */
export const minSecretCharacters = 6;

/** The forms of a secret and of each of its lines, without what terminals do not show. */
export function shownForms(secret: string): string[] {
    const lines = secret.split(/[\r\n]/).map((line) => line.trim());
    const forms = [secret, ...lines].filter(isLong).flatMap(formsOfSecret);
    return [...new Set(forms.map(seenCharacters))].filter(isLong);
}

function isLong({ length }: string): boolean {
    return length >= minSecretCharacters;
}
