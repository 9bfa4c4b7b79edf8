import { FoundWords } from "./found-words.js";
import { type WordPassages } from "./term-passages.js";
import { queriedTerms } from "./words.js";

const maxHitsOfAPage = 3;

/**
 * A passage in the form that exports contain: the page's file and title, and sections with the id and text of their
 * heading.
 */
export type TextOfPassage = readonly [
    file: string,
    title: string,
    sections: readonly (readonly [id: string, heading: string, text: string])[],
];

/** A section of a page that contains words of a query. */
export interface SearchHit {
    /** The page's file, relative to the export's root. */
    readonly page: string;
    /** The id of the section's heading; empty for the beginning of the page. */
    readonly id: string;
    readonly title: string;
    readonly heading: string;
    readonly text: string;
    readonly tab: string;
    /** Scores can be compared only between hits of the same query. */
    readonly score: number;
    /** Terms to mark. */
    readonly terms: ReadonlySet<string>;
}

interface FoundPassage {
    readonly tab: string;
    /** The number of the passage on its page. */
    readonly passage: number;
    readonly text: TextOfPassage;
}

/** Returns the sections that results link to, the best first, with the words to mark. */
export function bestSections(passages: readonly FoundPassage[], found: readonly WordPassages[]): SearchHit[] {
    const terms = new Set(found.flatMap((word) => [...word.terms.keys()]));
    const words = new FoundWords(found);
    const hits = passages.flatMap((passage) => sectionsOf(passage, found, words).map((hit) => ({ ...hit, terms })));
    hits.sort(byRank);
    return upToThreeOfAPage(hits);
}

/** Sorts hits into the order that readers see. */
export function byRank(one: SearchHit, other: SearchHit): number {
    return other.score - one.score;
}

function sectionsOf(
    { tab, passage, text: [page, title, sections] }: FoundPassage,
    found: readonly WordPassages[],
    words: FoundWords,
): Omit<SearchHit, "terms">[] {
    const inTitle = words.strengths(title);
    const isWholeTitle = !inTitle.includes(0) && queriedTerms(title).length === found.length;
    const titleWords = queriedTerms(title);
    const matched = titleWords.filter((term) => found.some(({ terms }) => terms.has(term))).length;
    const share = titleWords.length === 0 ? 0 : matched / titleWords.length;
    const titleWeight = (isWholeTitle ? 18 : 12) + 8 * share;
    const titleOfSection = 2 + 4 * share;
    const all = sections.map(([id, heading, text]) => {
        const inHeading = words.strengths(heading);
        const inText = words.weights(text);
        const isTop = id === "" && passage === 0;
        let score = 0;
        let has = 0;
        let whole = 0;
        let isOwn = isTop;
        found.forEach(({ rarity }, at) => {
            const inOwn = inHeading[at]! + inText[at]!;
            const strength = inTitle[at]! * (isTop ? titleWeight : titleOfSection) + inHeading[at]! * 7 + inText[at]!;
            isOwn ||= inOwn > 0;
            whole += rarity;
            has += strength === 0 ? 0 : rarity;
            score += rarity * strength;
        });
        return { hit: { page, id, title, heading, text, tab, score: score * (has / whole) ** 2 }, has, isOwn };
    });
    const most = Math.max(...all.map(({ has }) => has));
    return all.filter(({ has, isOwn }) => has === most && isOwn).map(({ hit }) => hit);
}

/** Removes repeated places, and all hits after the first three of a page. @param hits best first */
export function upToThreeOfAPage(hits: readonly SearchHit[]): SearchHit[] {
    const seen = new Set<string>();
    const counts = new Map<string, number>();
    return hits.filter(({ page, id }) => {
        const place = `${page}#${id}`;
        const count = counts.get(page) ?? 0;
        if (seen.has(place) || count === maxHitsOfAPage) {
            return false;
        }
        seen.add(place);
        counts.set(page, count + 1);
        return true;
    });
}
