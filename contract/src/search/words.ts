/** A term that finds a word, and the term's position in the word. */
export interface TermOfWord {
    readonly term: string;
    readonly from: number;
    readonly to: number;
}

/** Runs of letters and digits, which hyphens may join: "Wi-Fi" is one word. */
export const wordPattern = /[\p{L}\p{N}\p{M}\u00ad]+(?:[-\u2010\u2011][\p{L}\p{N}\p{M}\u00ad]+)*/gu;

/** Longer words are truncated, because nobody types them to the end. */
export const maxLettersOfATerm = 32;

/** Scripts without spaces between words, where each pair of neighbouring characters is a term. */
const unspaced = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+/gu;
/** A character; Japanese voice marks belong to the character before them. */
const character = /[^][\u3099\u309a\uff9e\uff9f]?/gu;

/** Most words. */
const isOneTerm = /^[A-Z]?[a-z0-9]+$/;
const isAscii = /^[\0-\x7f]*$/;
const partsOfCamelCase = /(?:[A-Z](?![a-z]))+|[A-Z]?[a-z]+|[0-9]+/g;

export const hyphen = /[-\u2010\u2011]/;
/** A word of more parts is rarely written in another way. */
const maxJoined = 3;

/** @param word a match of `wordPattern` */
export function termsOf(word: string): TermOfWord[] {
    if (isOneTerm.test(word)) {
        return [{ term: word.slice(0, maxLettersOfATerm).toLowerCase(), from: 0, to: word.length }];
    }
    return [...placesOf(word)]
        .map(([from, to]) => ({ term: fold(word.slice(from, to)).slice(0, maxLettersOfATerm), from, to }))
        .filter(({ term }) => term !== "");
}

/** Returns the terms of a string, each with its place in the string. */
export function placedTerms(text: string): TermOfWord[] {
    return Array.from(text.matchAll(wordPattern)).flatMap(({ 0: word, index }) =>
        termsOf(word).map(({ term, from, to }) => ({ term, from: index + from, to: index + to })),
    );
}

type Place = readonly [from: number, to: number];

function* placesOf(word: string): Generator<Place> {
    const parts = word.split(hyphen);
    if (parts.length > 1 && parts.length <= maxJoined && /\p{L}/u.test(word) && word.search(unspaced) === -1) {
        yield [0, word.length];
    }
    let from = 0;
    for (const part of parts) {
        yield* placesOfPart(word, from, from + part.length);
        from += part.length + 1;
    }
}

function* placesOfPart(word: string, from: number, to: number): Generator<Place> {
    let end = from;
    const part = word.slice(from, to);
    for (const { 0: run, index } of isAscii.test(part) ? [] : part.matchAll(unspaced)) {
        yield* spacedPlaces(word, end, from + index);
        yield* pairsOf(run, from + index);
        end = from + index + run.length;
    }
    yield* spacedPlaces(word, end, to);
}

/** A name such as `exportSite` is also found by its parts. */
function* spacedPlaces(word: string, from: number, to: number): Generator<Place> {
    yield [from, to];
    const name = word.slice(from, to);
    for (const { 0: part, index } of /[a-z][A-Z]/.test(name) ? name.matchAll(partsOfCamelCase) : []) {
        yield [from + index, from + index + part.length];
    }
}

function* pairsOf(run: string, start: number): Generator<Place> {
    const letters = run.match(character) ?? [];
    let from = start;
    for (const [at, letter] of letters.entries()) {
        const next = letters[at + 1];
        // The two characters are case-folded together, because a letter and a mark may fold into one.
        if (next !== undefined || at === 0) {
            yield [from, from + letter.length + (next ?? "").length];
        }
        from += letter.length;
    }
}

const latin = Array.from("abcdefghijklmnopqrstuvwxyz");
/** Two letters may be the base of one, as in "æ". */
const bases = [...latin, ...latin.flatMap((first) => latin.map((second) => first + second))];
/** Created on first use, because loading Unicode's collation takes longer than loading this module. */
let sameBase: Intl.Collator | undefined;
const basesOf = new Map<string, string>();

/** Returns the Latin base of a letter that Unicode does not decompose, such as "ł", by Unicode's collation. */
function baseOf(letter: string): string {
    let base = basesOf.get(letter);
    if (base === undefined) {
        const { compare } = (sameBase ??= new Intl.Collator("und", { sensitivity: "base" }));
        base = bases.find((candidate) => compare(letter, candidate) === 0) ?? letter;
        basesOf.set(letter, base);
    }
    return base;
}

/** The article of Arabic words, with a conjunction or preposition before it, as in Lucene's Arabic stemmer. */
const arabicArticle = /^(?:[\u0648\u0641\u0628\u0643]?\u0627\u0644|\u0644\u0644)(?=\p{L}{2})/u;

/**
 * Ignores case, accents, width, ligatures, hyphens and Arabic articles: by Unicode's compatibility decomposition, its
 * full case mappings, and its collation.
 */
function fold(text: string): string {
    const lower = text.toLowerCase();
    return isAscii.test(lower)
        ? lower.replace(/-/g, "")
        : text
              .normalize("NFKD")
              .replace(/([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu, "$1")
              .replace(/([\p{Script=Arabic}\p{Script=Hebrew}])\p{Mn}+/gu, "$1")
              .toUpperCase() // The capital of "ß" is "SS".
              .toLowerCase()
              .replace(/[^\0-\x7f\P{Script=Latin}]/gu, baseOf)
              .replace(/\u03c2/g, "\u03c3")
              .replace(/[^\p{L}\p{N}\p{M}]|\u0640/gu, "")
              .normalize("NFC")
              .replace(arabicArticle, "");
}
