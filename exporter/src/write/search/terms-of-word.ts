/** Runs as part of the theme's search in browsers as well, so it imports nothing. */

/** A term that finds a word, with its place in the word. */
export interface TermOfWord {
    readonly term: string;
    readonly from: number;
    readonly to: number;
}

export const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;

/** Longer ones are cut: nobody types them to the end. */
const maxLettersOfATerm = 32;

/** Scripts that put no spaces between words; every two neighbouring characters are a term. */
const unspaced =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

const isAscii = /^[\0-\x7f]*$/;
const partsOfCamelCase = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

/** @param word a run of letters and digits */
export function termsOf(word: string): TermOfWord[] {
    return [...placesOf(word)]
        .map(([from, to]) => ({ term: fold(word.slice(from, to)).slice(0, maxLettersOfATerm), from, to }))
        .filter(({ term }) => term !== "");
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

/** A name such as `exportSite` is found by its parts, too. */
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
        // Folded as a pair: the two may be a letter and a mark, which fold into one.
        if (next !== undefined || at === 0) {
            yield [from, from + letter.length + (next ?? "").length];
        }
        from += letter.length;
    }
}

/** Case and accents do not matter. */
function fold(text: string): string {
    const lower = text.toLowerCase();
    return isAscii.test(lower)
        ? lower
        : lower
              .normalize("NFD")
              .replace(/[\u0300-\u036f\u064b-\u065f\u0670]/g, "")
              .normalize("NFC");
}
