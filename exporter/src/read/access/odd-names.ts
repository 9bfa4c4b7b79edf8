/** Whether a text has a character that would not stand as it is in a line of JSON. */
export function hasOddCharacter(text: string): boolean {
    return /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}"\\]/u.test(text);
}

/** Why servers could not tell a page's groups apart; undefined for proper names. */
export function problemOfGroups(groups: readonly string[]): string | undefined {
    const odd = groups.find((group) => hasOddCharacter(group) || group.trim() !== group);
    return odd === undefined
        ? undefined
        : `the name of the group ${JSON.stringify(odd)} must have no quotes, backslashes or control characters, and no space at its ends`;
}
