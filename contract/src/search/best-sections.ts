import { type WordPassages } from "./term-passages.js";
import { placedTerms, queriedTerms } from "./words.js";

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
    /** Compares hits of one query. */
    readonly score: number;
    /** How many words of the query the section lacks. */
    readonly missing: number;
    /** Terms to mark. */
    readonly terms: ReadonlySet<string>;
}

interface FoundPassage {
    readonly tab: string;
    /** Its number in the page. */
    readonly passage: number;
    readonly text: TextOfPassage;
}

/** The sections to which results lead, the best first, with the words to mark. */
export function bestSections(passages: readonly FoundPassage[], found: readonly WordPassages[]): SearchHit[] {
    const terms = new Set(found.flatMap((word) => [...word.terms.keys()]));
    const hits = passages.flatMap((passage) => sectionsOf(passage, found).map((hit) => ({ ...hit, terms })));
    hits.sort(byRank);
    return upToThreeOfAPage(hits);
}

/** Sorts hits into the order that readers see. */
export function byRank(one: SearchHit, other: SearchHit): number {
    return one.missing - other.missing || other.score - one.score;
}

function sectionsOf(
    { tab, passage, text: [page, title, sections] }: FoundPassage,
    found: readonly WordPassages[],
): Omit<SearchHit, "terms">[] {
    const inTitle = strengths(title, found);
    const isWholeTitle = queriedTerms(title).length === found.length && !inTitle.includes(0);
    const titleWeight = isWholeTitle ? 18 : 12;
    const all = sections.map(([id, heading, text]) => {
        const inHeading = strengths(heading, found);
        const inText = strengths(text, found);
        const isTop = id === "" && passage === 0;
        let score = 0;
        let missing = 0;
        let isOwn = isTop;
        found.forEach(({ rarity }, at) => {
            const inOwn = inHeading[at]! + inText[at]!;
            const strength = inTitle[at]! * (isTop ? titleWeight : 2) + inHeading[at]! * 7 + inText[at]!;
            isOwn ||= inOwn > 0;
            missing += strength === 0 ? 1 : 0;
            score += rarity * strength;
        });
        return { hit: { page, id, title, heading, text, tab, score, missing }, isOwn };
    });
    const fewest = Math.min(...all.map(({ hit }) => hit.missing));
    return all.filter(({ hit, isOwn }) => hit.missing === fewest && isOwn).map(({ hit }) => hit);
}

/** Removes repeated places. @param hits best first */
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

/** How well a text matches each of the words: 1 for the word itself, less for another form of it. */
function strengths(text: string, found: readonly WordPassages[]): number[] {
    const terms = placedTerms(text);
    return found.map((word) => terms.reduce((best, { term }) => Math.max(best, word.terms.get(term) ?? 0), 0));
}
