type Groups = readonly (readonly string[])[];

/** The synonyms of each stem. Cached, because each search of a scope has the same groups. */
const cached = new WeakMap<Groups, ReadonlyMap<string, readonly string[]>>();

/** Returns the words in the same groups as a word or one of its other forms. */
export function synonymsOf(groups: Groups, word: string, stem: (word: string) => string): readonly string[] {
    let known = cached.get(groups);
    if (known === undefined) {
        known = byStem(groups, stem);
        cached.set(groups, known);
    }
    return known.get(stem(word)) ?? [];
}

function byStem(groups: Groups, stem: (word: string) => string): Map<string, string[]> {
    const synonyms = new Map<string, string[]>();
    for (const group of groups) {
        for (const word of group) {
            const own = stem(word);
            const others = group.filter((each) => stem(each) !== own);
            synonyms.set(own, [...new Set([...(synonyms.get(own) ?? []), ...others])]);
        }
    }
    return synonyms;
}
