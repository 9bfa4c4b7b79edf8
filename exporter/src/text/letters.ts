/** The letters and digits of a text, without capitals: what stays the same where spaces and punctuation differ. */
export function lettersOf(text: string): string {
    return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
