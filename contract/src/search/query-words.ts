import { hyphen, placedTerms, type TermOfWord } from "./words.js";

/** A word of a query. */
export interface QueryWord {
    readonly term: string;
    /** How much the word says about the query's subject, from 0 to 1. */
    readonly weight: number;
    /** Other spellings: a verb joined with its particle, such as `logout` for "log out", and `v5` for 5. */
    readonly spellings: readonly string[];
}

/** @param stem returns the stem of a word in the site's language */
export function queryWords(query: string, stem: (word: string) => string): QueryWord[] {
    const terms = placedTerms(query);
    return queriedTerms(query).map((term) => {
        const at = terms.findIndex((each) => each.term === term);
        const isJoined = hyphen.test(query.slice(terms[at]!.from, terms[at]!.to));
        const next = terms[at + 1]?.term ?? "";
        const joined = particles.has(next) ? [term + next, stem(term) + next] : [];
        const weight = isJoined ? joinedWeight : vagueWords.has(term) ? vagueWeight : 1;
        return { term, weight, spellings: [...new Set([...joined, ...versionSpellings(term)])] };
    });
}

function versionSpellings(term: string): string[] {
    return /^\d{1,3}$/.test(term) ? [`v${term}`] : /^v\d{1,3}$/.test(term) ? [term.slice(1)] : [];
}

/**
 * Returns the terms of a query. A name such as `exportSite` is searched as a whole, not by its parts; a word such as
 * "Wi-Fi" is searched as a whole and by its parts, because texts also contain "WiFi" and "Wi Fi".
 */
export function queriedTerms(query: string): string[] {
    const terms = placedTerms(query);
    const names = terms.filter(({ from, to }) => !hyphen.test(query.slice(from, to)));
    const whole = terms.filter((term) => !names.some((other) => other !== term && isWithin(term, other)));
    const all = [...new Set(whole.map(({ term }) => term))];
    const subject = all.filter((term) => !questionWords.has(term));
    return subject.length === 0 ? all : subject;
}

function isWithin(term: TermOfWord, other: TermOfWord): boolean {
    return other.from <= term.from && term.to <= other.to && other.term !== term.term;
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Words of questions that say nothing about their subject. Pages that answer a question rarely contain them. */
const questionWords = setOf(
    "a about above across after against all also always am among an and any anybody anyone anything are around " +
        "as at away back be because been before behind being below between beyond but by can cannot could did do " +
        "does doing don done down during each everybody everyone everything for from get gets getting got had has " +
        "have having how i if in inside instead into is it its just let like make me my near need no nobody not " +
        "nothing of off on one onto or our out outside over own please shall should so some somebody someone " +
        "something than that the their them then there these they this those through to together too toward towards " +
        "under up upon using very want was way we were what when where which while who whose why will with within " +
        "without would you your",
);

/** Verbs of so many questions that they say little about the subject. */
const vagueWords = setOf(
    "add ask build call change create enable find give keep put run running runs send set show start support take " +
        "turn work write",
);
const vagueWeight = 0.6;

/** The weight of a whole word with hyphens, whose parts are words of the query, too. */
const joinedWeight = 0.3;

/** Words that belong to the verb before them. */
const particles = setOf("away back down in off on out over up");
