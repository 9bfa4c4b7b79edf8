import { getOrMake } from "../../text/get-or-make.js";
import { type RecordedTerms } from "./group-terms.js";
import { maxPassagesOfATerm, Postings, ranks } from "./postings.js";

/** The approximate length of the lines that are merged at a time. */
const mergedLength = 8 * 1024 * 1024;

/** The distance between two terms of a group that decide which lines are merged at a time. */
const sampleDistance = 8 * 1024;

/**
 * All terms of the pages that are searched together. The terms stay in the text form of their groups until the index is
 * written, because a large site has more terms than objects fit into memory.
 */
export class TermIndex {
    readonly #groups: RecordedTerms[] = [];
    passageCount = 0;

    add(terms: RecordedTerms): void {
        this.passageCount += terms.passageCount;
        this.#groups.push(terms);
    }

    /**
     * Returns the lines of the index in the order of their terms, and empties the index. Lines: `term list list`, one
     * list per rank; `term*number` adds the number of a term's passages if the lists do not contain all of them.
     */
    *takeLines(): Generator<string> {
        const groups = this.#groups.splice(0).sort((one, other) => one.group - other.group);
        const ends = groups.map(() => 0);
        for (const next of [...rangeStarts(groups), undefined]) {
            const terms = new Map<string, Postings[]>();
            for (const [index, group] of groups.entries()) {
                ends[index] = addLines(terms, group, ends[index] ?? 0, next);
            }
            for (const term of [...terms.keys()].sort()) {
                yield lineOf(term, terms.get(term) ?? []);
            }
        }
    }
}

/** Adds a group's lines to the terms. @param next the first term that is not added @returns the end of the lines */
function addLines(
    terms: Map<string, Postings[]>,
    { group, lines }: RecordedTerms,
    start: number,
    next: string | undefined,
): number {
    let at = start;
    while (at < lines.length) {
        const space = lines.indexOf(" ", at);
        const term = lines.slice(at, space);
        if (next !== undefined && term >= next) {
            break;
        }
        const postings = getOrMake(terms, term, (): Postings[] => []);
        const newline = lines.indexOf("\n", space);
        const end = newline < 0 ? lines.length : newline;
        for (const [rank, passages] of lines
            .slice(space + 1, end)
            .split(" ")
            .entries()) {
            if (passages !== "") {
                (postings[rank] ??= new Postings()).add(group, passages);
            }
        }
        at = end + 1;
    }
    return at;
}

/** Returns terms that divide all lines into parts of about the same length. */
function rangeStarts(groups: readonly RecordedTerms[]): string[] {
    const length = groups.reduce((sum, { lines }) => sum + lines.length, 0);
    const samples = length > mergedLength ? groups.flatMap(samplesOf).sort() : [];
    const distance = Math.ceil((samples.length * mergedLength) / Math.max(1, length));
    return samples.filter((term, at) => at > 0 && at % distance === 0 && term !== samples[at - distance]);
}

function samplesOf({ lines }: RecordedTerms): string[] {
    const samples: string[] = [];
    for (let at = lines.indexOf("\n", sampleDistance / 2); at >= 0; at = lines.indexOf("\n", at + sampleDistance)) {
        samples.push(lines.slice(at + 1, lines.indexOf(" ", at)));
    }
    return samples;
}

function lineOf(term: string, postings: readonly Postings[]): string {
    let listed = 0;
    let total = 0;
    const lists = ranks.map((_, rank) => {
        const ofRank = postings[rank];
        total += ofRank?.total ?? 0;
        if (ofRank === undefined || listed >= maxPassagesOfATerm) {
            return "";
        }
        listed += ofRank.listed;
        return ofRank.text;
    });
    return `${term}${listed < total ? `*${total}` : ""} ${lists.join(" ")}`.trimEnd();
}
