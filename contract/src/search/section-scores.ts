import { FoundWords } from "./found-words.js";
import { queriedTerms } from "./query-words.js";
import { type WordPassages } from "./term-passages.js";

const maxHitsOfAPage = 3;

/** The beginning of a page, which says what the page is about; it is the page's description if there is one. */
const leadLength = 200;

/** How much a hit loses that lacks words of the query. */
const coverageExponent = 1.5;

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
    /** The score of the whole page. */
    readonly pageScore: number;
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
    { tab, passage, text: [page, title, sections], pageScore }: FoundPassage,
    found: readonly WordPassages[],
    words: FoundWords,
): Omit<SearchHit, "terms">[] {
    const inTitle = words.strengths(title);
    const inPath = words.strengths(page.replace(/\.html$/, "").replaceAll(/[-_/]/g, " "));
    const titleWords = queriedTerms(title);
    const isWholeTitle = !inTitle.includes(0) && titleWords.length === found.length;
    const matched = titleWords.filter((term) => found.some(({ terms }) => terms.has(term))).length;
    const share = titleWords.length === 0 ? 0 : matched / titleWords.length;
    const whole = found.reduce((sum, { importance }) => sum + importance, 0);
    const all = sections.map(([id, heading, text]) => {
        const inHeading = words.strengths(heading);
        const { weights: inText, nearness } = words.weights(text);
        const isTop = id === "" && passage === 0;
        const inLead = isTop ? words.strengths(text.slice(0, leadLength)) : [];
        const titleWeight = isTop ? (isWholeTitle ? 16 : 10) + 4 * share : 4 + 4 * share;
        let score = 0;
        let has = 0;
        let isOwn = isTop;
        found.forEach(({ importance }, at) => {
            const inOwn = inHeading[at]! + inText[at]!;
            isOwn ||= inOwn > 0;
            has += inTitle[at]! + inOwn === 0 ? 0 : importance;
            const strength =
                inTitle[at]! * titleWeight +
                inHeading[at]! * 5 +
                (inLead[at] ?? 0) * 4 +
                inText[at]! * 1.1 +
                inPath[at]! * 0.5;
            const pair = (importance + (found[at + 1]?.importance ?? 0)) / 2;
            score += importance * strength + pair * nearness[at]! * 4.5;
        });
        return {
            hit: { page, id, title, heading, text, tab, score: score * (has / whole) ** coverageExponent + pageScore },
            has,
            isOwn,
        };
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
