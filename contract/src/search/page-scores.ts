import { pageOf, type WordPassages } from "./term-passages.js";

/** How much the whole page counts, compared with the section that a hit leads to. */
const pageWeight = 0.3;

/**
 * Scores whole pages by all of their passages: a page about the subject of a query contains its words in several
 * places. Repeated words count less each time.
 */
export function pageScores(found: readonly WordPassages[], pages: ReadonlySet<number>): Map<number, number> {
    const sums = new Map<number, number[]>();
    found.forEach(({ scores }, at) => {
        for (const [key, score] of scores) {
            const { page } = pageOf(key);
            if (pages.has(page)) {
                const ofPage = sums.get(page) ?? found.map(() => 0);
                ofPage[at]! += score;
                sums.set(page, ofPage);
            }
        }
    });
    const scoreOf = (ofPage: readonly number[]) =>
        found.reduce((sum, { importance }, at) => sum + pageWeight * importance * Math.log(1 + ofPage[at]!), 0);
    return new Map([...sums].map(([page, ofPage]) => [page, scoreOf(ofPage)]));
}
