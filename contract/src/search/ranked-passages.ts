import { pageOf, type WordPassages } from "./term-passages.js";

interface RankedPassage {
    readonly key: number;
    /** The share of the query's words that the passage contains, weighted by rarity. */
    readonly share: number;
    readonly score: number;
}

/** A passage is dropped if its share of the query is less than this fraction of the best passage's share. */
const leastShare = 0.35;

/**
 * The passages that contain words of the query, the best first. A passage may lack some words, because questions
 * contain words that their answers do not contain; the rarer the missing words, the lower the passage ranks. Words that
 * are too common for a complete list of passages count as found.
 */
export class RankedPassages {
    readonly #passages: readonly RankedPassage[];

    /** @param isWanted whether passages of the page with this number may be found */
    constructor(found: readonly WordPassages[], isWanted: (page: number) => boolean) {
        const rare = found.filter(({ isCut }) => !isCut);
        const listed = rare.length > 0 ? rare : found;
        const whole = found.reduce((sum, { rarity }) => sum + rarity, 0);
        const passages: RankedPassage[] = [];
        let most = 0;
        listed.forEach(({ scores: ofWord }, at) => {
            const earlier = listed.slice(0, at);
            for (const key of ofWord.keys()) {
                if (earlier.some(({ scores }) => scores.has(key)) || !isWanted(pageOf(key).page)) {
                    continue;
                }
                let score = 0;
                let has = 0;
                for (const { scores, rarity, isCut } of found) {
                    const own = scores.get(key);
                    score += rarity * (own ?? 0);
                    has += own !== undefined || isCut ? rarity : 0;
                }
                const share = has / whole;
                most = Math.max(most, share);
                passages.push({ key, share, score: score * share ** 2 });
            }
        });
        this.#passages = passages.filter(({ share }) => share >= most * leastShare);
    }

    get total(): number {
        return this.#passages.length;
    }

    /** Returns the keys of the passages in a range of ranks. */
    slice(from: number, to: number): number[] {
        const sorted = from === 0 ? firstOf(this.#passages, to) : [...this.#passages].sort(compare);
        return sorted.slice(from, to).map(({ key }) => key);
    }
}

function compare(one: RankedPassage, other: RankedPassage): number {
    return other.score - one.score || one.key - other.key;
}

/** Finds the first passages in sorted order. Sorting all passages would take most of a search's time. */
function firstOf(passages: readonly RankedPassage[], count: number): RankedPassage[] {
    const first: RankedPassage[] = [];
    for (const passage of passages) {
        if (first.length === count && compare(passage, first[count - 1]!) > 0) {
            continue;
        }
        let at = first.length;
        while (at > 0 && compare(passage, first[at - 1]!) < 0) {
            at -= 1;
        }
        first.splice(at, 0, passage);
        first.length = Math.min(first.length, count);
    }
    return first;
}
