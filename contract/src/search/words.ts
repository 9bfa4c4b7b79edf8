/** A term that finds a word, and the term's position in the word. */
export interface TermOfWord {
    readonly term: string;
    readonly from: number;
    readonly to: number;
}

/** Runs of letters and digits. */
export const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;

/** Longer words are truncated, because nobody types them to the end. */
export const maxLettersOfATerm = 32;

/** Scripts without spaces between words, where each pair of neighbouring characters is a term. */
const unspaced =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/** Most words. */
const isOneTerm = /^[A-Z]?[a-z0-9]+$/;
const isAscii = /^[\0-\x7f]*$/;
const partsOfCamelCase = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

/** @param word a run of letters and digits */
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

/** Returns the terms of a query: a name such as `exportSite` is searched as a whole, not by its parts. */
export function queriedTerms(query: string): string[] {
    const terms = placedTerms(query);
    const whole = terms.filter((term) => !terms.some((other) => other !== term && isWithin(term, other)));
    return [...new Set(whole.map(({ term }) => term))];
}

function isWithin(term: TermOfWord, other: TermOfWord): boolean {
    return other.from <= term.from && term.to <= other.to && other.term !== term.term;
}

type Place = readonly [from: number, to: number];

function* placesOf(word: string): Generator<Place> {
    let end = 0;
    for (const { 0: run, index } of isAscii.test(word) ? [] : word.matchAll(unspaced)) {
        yield* spacedPlaces(word, end, index);
        yield* pairsOf(run, index);
        end = index + run.length;
    }
    yield* spacedPlaces(word, end, word.length);
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
    const letters = [...run];
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

/** Ignores case and accents. */
function fold(text: string): string {
    const lower = text.toLowerCase();
    return isAscii.test(lower)
        ? lower
        : lower
              .normalize("NFD")
              .replace(/[\u0300-\u036f\u064b-\u065f\u0670]/g, "")
              .normalize("NFC");
}
