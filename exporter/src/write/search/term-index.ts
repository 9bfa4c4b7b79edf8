import { termOf } from "@pulumi-static-export/contract/search";
import { type RecordedTerms } from "./group-terms.js";
import { maxPassagesOfATerm, Postings, ranks } from "./postings.js";

/** The approximate length of the lines that are merged at a time, because objects take many times as much memory. */
const partLength = 1024 * 1024;

/** The least length of lines that are merged before the index is written. */
const earlyLength = 16 * 1024 * 1024;

/** The distance between two terms of a list that decide which lines are merged at a time. */
const sampleDistance = 8 * 1024;

/**
 * All terms of the pages that are searched together. The terms stay in text form until the index is written, because a
 * large site has more terms than objects fit into memory.
 */
export class TermIndex {
    /** Sorted lines. */
    #lists: string[] = [];
    #lengthOfMerged = 0;
    #lengthOfAdded = 0;
    passageCount = 0;

    add({ passageCount, lines }: Pick<RecordedTerms, "passageCount" | "lines">): void {
        this.passageCount += passageCount;
        this.#lists.push(lines);
        this.#lengthOfAdded += lines.length;
        // Merged lists are much shorter, because they contain each term once, and common words are cut.
        if (this.#lengthOfAdded > Math.max(earlyLength, this.#lengthOfMerged)) {
            // Joins each part before the next one is merged, to save memory.
            this.#lists = Array.from(mergedLines(this.#lists), (merged) => merged.join("\n"));
            this.#lengthOfMerged = lengthOf(this.#lists);
            this.#lengthOfAdded = 0;
        }
    }

    /**
     * Returns the lines of the index in the order of their terms, and empties the index. Lines: `term list list`, one
     * list per rank; `term*number` adds the number of a term's passages if the lists do not contain all of them.
     */
    *takeLines(): Generator<string> {
        for (const lines of mergedLines(this.#lists.splice(0))) {
            yield* lines;
        }
    }
}

interface MergedTerm {
    readonly ofRanks: Postings[];
    total: number;
}

/** Merges sorted lists of lines. @returns the lines in order, in parts of bounded size */
function* mergedLines(lists: readonly string[]): Generator<string[]> {
    const ends = lists.map(() => 0);
    for (const next of [...startsOfParts(lists), undefined]) {
        const terms = new Map<string, string | MergedTerm>();
        for (const [index, list] of lists.entries()) {
            ends[index] = addLines(terms, list, ends[index] ?? 0, next);
        }
        yield [...terms.keys()].sort().map((term) => {
            const merged = terms.get(term) as string | MergedTerm;
            return typeof merged === "string" ? merged : lineOf(term, merged);
        });
    }
}

/**
 * Adds lines of a list. Most terms are in one list only, whose line stays as it is unless it may be long enough to be
 * cut.
 * @param next the first term that is not added
 * @returns the end of the lines
 */
function addLines(
    terms: Map<string, string | MergedTerm>,
    list: string,
    start: number,
    next: string | undefined,
): number {
    let at = start;
    while (at < list.length) {
        const term = termOf(list.slice(at, list.indexOf(" ", at) + 1));
        if (next !== undefined && term >= next) {
            break;
        }
        const newline = list.indexOf("\n", at);
        const end = newline < 0 ? list.length : newline;
        const line = list.slice(at, end);
        const other = terms.get(term);
        if (other === undefined && line.length < maxPassagesOfATerm) {
            terms.set(term, line);
        } else {
            const merged = typeof other === "object" ? other : { ofRanks: [], total: 0 };
            if (merged !== other) {
                terms.set(term, merged);
            }
            if (typeof other === "string") {
                addLine(merged, other);
            }
            addLine(merged, line);
        }
        at = end + 1;
    }
    return at;
}

function addLine(merged: MergedTerm, line: string): void {
    const space = line.indexOf(" ");
    const star = line.lastIndexOf("*", space);
    let added = 0;
    for (let [rank, start] = [0, space + 1]; start < line.length; rank += 1) {
        const next = line.indexOf(" ", start);
        const end = next < 0 ? line.length : next;
        if (end > start) {
            added += (merged.ofRanks[rank] ??= new Postings()).add(line.slice(start, end));
        }
        start = end + 1;
    }
    merged.total += star < 0 ? added : Number(line.slice(star + 1, space));
}

/** Returns terms that divide all lines into parts of about the same length. */
function startsOfParts(lists: readonly string[]): string[] {
    const length = lengthOf(lists);
    const samples = length > partLength ? lists.flatMap(samplesOf).sort() : [];
    const distance = Math.ceil((samples.length * partLength) / Math.max(1, length));
    return samples.filter((term, at) => at > 0 && at % distance === 0 && term !== samples[at - distance]);
}

function samplesOf(list: string): string[] {
    const samples: string[] = [];
    for (let at = list.indexOf("\n", sampleDistance / 2); at >= 0; at = list.indexOf("\n", at + sampleDistance)) {
        samples.push(termOf(list.slice(at + 1, list.indexOf(" ", at) + 1)));
    }
    return samples;
}

function lengthOf(lists: readonly string[]): number {
    return lists.reduce((sum, { length }) => sum + length, 0);
}

function lineOf(term: string, { ofRanks, total }: MergedTerm): string {
    let listed = 0;
    const lists = ranks.map((_, rank) => {
        const postings = listed < maxPassagesOfATerm ? ofRanks[rank] : undefined;
        listed += postings?.listed ?? 0;
        return postings?.text ?? "";
    });
    return `${term}${listed < total ? `*${total}` : ""} ${lists.join(" ")}`.trimEnd();
}
