/**
 * Who may read a page or file: everybody (undefined), or signed-in readers, who must be in one of the listed groups
 * unless the list is empty. Names are sorted and unique. A page is private if not everybody may read it. Where a list
 * can exclude all readers, the value "nobody" is added.
 */
export type Readers = readonly string[] | undefined;

/** Whether `other` includes all of `readers`. */
export function mayAllRead(readers: Readers, other: Readers): boolean {
    if (other === undefined || readers === undefined) {
        return other === undefined;
    }
    return other.length === 0 || (readers.length > 0 && readers.every((group) => other.includes(group)));
}

/** The readers in at least one of the lists. */
export function unionOf(one: Readers, other: Readers): Readers {
    if (one === undefined || other === undefined) {
        return undefined;
    }
    return one.length === 0 || other.length === 0 ? [] : readersOfGroups([...one, ...other]);
}

/** The readers in both lists; "nobody" if no group is in both lists. */
export function intersectionOf(one: readonly string[], other: readonly string[]): readonly string[] | "nobody" {
    if (one.length === 0 || other.length === 0) {
        return one.length === 0 ? other : one;
    }
    const both = one.filter((group) => other.includes(group));
    return both.length === 0 ? "nobody" : both;
}

export function readersOfGroups(groups: readonly string[]): readonly string[] {
    return [...new Set(groups)].sort();
}

export function areSameReaders(one: Readers, other: Readers): boolean {
    return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether a string contains a character that JSON would escape. */
export function hasOddCharacter(text: string): boolean {
    return /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}"\\]/u.test(text);
}

/** Why a server could not distinguish a page's groups; undefined for valid names. */
export function problemOfGroups(groups: readonly string[]): string | undefined {
    const odd = groups.find((group) => hasOddCharacter(group) || group.trim() !== group);
    return odd === undefined
        ? undefined
        : `the name of the group ${JSON.stringify(odd)} must have no quotes, backslashes or control characters, and no space at its ends`;
}
