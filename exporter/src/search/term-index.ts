import { getOrMake } from "../text/get-or-make.js";
import { type GroupTerms } from "./group-terms.js";
import { ranks, readNumber, writeNumber } from "./postings.js";

/**
 * A term's passages are listed up to about this number, the best first. A browser shows a few of them; without a bound the
 * most common words would be most of what it loads.
 */
export const maxPassagesOfATerm = 600;

/** Passages in which a term has one rank. */
interface RankedList {
    text: string;
    lastGroup: number;
    listed: number;
    total: number;
}

/** All terms of the pages that are searched together. Groups are added in order. */
export class TermIndex {
    readonly #terms = new Map<string, (RankedList | undefined)[]>();

    passageCount = 0;

    get terms(): string[] {
        return [...this.#terms.keys()].sort();
    }

    add({ group, passages, terms }: GroupTerms): void {
        this.passageCount += passages;
        for (const line of terms === "" ? [] : terms.split(",")) {
            let end = line.indexOf(" ");
            const lists = getOrMake(this.#terms, line.slice(0, end), () => []);
            // Nearly every term has one rank: to split the line would make six texts, most of them empty.
            for (let rank = 0; end < line.length; rank += 1) {
                const start = end + 1;
                const next = line.indexOf(" ", start);
                end = next === -1 ? line.length : next;
                if (end > start) {
                    extend((lists[rank] ??= noPassages()), group, line.slice(start, end));
                }
            }
        }
    }

    /** `term list list`, one list a rank; `term*number` says in how many passages a term is when not all are listed. */
    lineOf(term: string): string {
        const lists = this.#terms.get(term) ?? [];
        let listed = 0;
        let total = 0;
        const texts = ranks.map((_, rank) => {
            const list = lists[rank];
            total += list?.total ?? 0;
            if (list === undefined || listed >= maxPassagesOfATerm) {
                return "";
            }
            listed += list.listed;
            return list.text;
        });
        return `${term}${listed < total ? `*${total}` : ""} ${texts.join(" ")}`.trimEnd();
    }
}

function noPassages(): RankedList {
    return { text: "", lastGroup: 0, listed: 0, total: 0 };
}

function extend(list: RankedList, group: number, text: string): void {
    const count = readNumber(text);
    list.total += count;
    if (list.listed < maxPassagesOfATerm) {
        list.text += writeNumber(group - list.lastGroup) + text;
        list.lastGroup = group;
        list.listed += count;
    }
}
