import { createHash, timingSafeEqual } from "node:crypto";

/** Compares texts in a time that says nothing about them. */
export function areEqualSecrets(given: string, expected: string): boolean {
    const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
    return timingSafeEqual(digest(given), digest(expected));
}
