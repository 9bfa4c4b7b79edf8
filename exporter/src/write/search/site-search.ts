import { getOrMake } from "../../text/get-or-make.js";
import { type SearchSection } from "../../text/search-text.js";
import { passagesOf } from "./passages.js";
import { type SearchScope } from "./scopes.js";
import { cutShards, type Shard } from "./shards.js";
import { stemmerOf, stemmerScript } from "./stemmers.js";
import { type SearchedPage, TermIndex } from "./term-index.js";
import { Words } from "./words.js";

export type WrittenFile = readonly [file: string, content: string];

export interface PageOfSearch extends SearchedPage {
    /** The part of the site that the page is searched in. */
    readonly scope: number;
    /** Its file, from the export's root. */
    readonly address: string;
    readonly description: string | undefined;
}

/** Words that may be looked up by their ends: readers mistype words, not names and numbers. */
const correctable = /^\p{L}{4,24}$/u;

/**
 * The search of a site, as files that a page on disk may load: scripts of bounded size, so that a reader loads what a query
 * needs. An index that is loaded whole would cost a first visitor more than all pages that visitor reads.
 */
export class SiteSearch {
    readonly #words = new Words();
    /** By the numbers of the scopes. */
    readonly #indexes = new Map<number, TermIndex>();

    /** @param folder for the files, from the export's root */
    constructor(private readonly folder: string) {}

    /** @returns the files with the page's text, from which a browser makes hits */
    addPage(page: PageOfSearch, sections: readonly SearchSection[]): WrittenFile[] {
        const { description } = page;
        const passages = passagesOf(description === undefined ? sections : withLead(sections, description));
        this.#indexOf(page.scope).add(page, passages);
        return passages.map((passage, at) => {
            const texts = passage.map(({ id, heading, text }) => [id, heading, text]);
            const name = at === 0 ? `text/${page.number}` : `text/${page.number}-${at}`;
            return this.#file(name, JSON.stringify([page.address, page.title, texts]));
        });
    }

    /** The files for all pages together. */
    async *files(scopes: readonly SearchScope[]): AsyncGenerator<WrittenFile> {
        const names = scopes.map(({ name }) => name);
        const usedStemmers = new Set<string>();
        for (const [number, { language, tabs }] of scopes.entries()) {
            const index = this.#indexOf(number);
            const { terms } = index;
            const termShards = cutShards(
                terms.map((term) => index.lineOf(term)),
                (line) => line.slice(0, line.search(/[* ]/)),
            );
            const words = termShards.length < 2 ? [] : terms.filter((term) => correctable.test(term));
            const reversed = words.map((word) => word.split("").reverse().join("")).sort();
            const endingShards = cutShards(reversed, (word) => word);
            yield* this.#shardFiles(`${number}/terms`, termShards);
            yield* this.#shardFiles(`${number}/endings`, endingShards);
            const stemmer = stemmerOf(language);
            if (stemmer !== undefined) {
                usedStemmers.add(stemmer);
            }
            const facts = {
                names,
                tabs,
                stemmer,
                passages: index.passageCount,
                terms: termShards.map(({ from }) => from),
                endings: endingShards.map(({ from }) => from),
            };
            yield this.#file(`${number}/scope`, JSON.stringify(facts));
        }
        for (const stemmer of usedStemmers) {
            yield this.#file(`stemmer-${stemmer}`, await stemmerScript(stemmer));
        }
    }

    #indexOf(scope: number): TermIndex {
        return getOrMake(this.#indexes, scope, () => new TermIndex(this.#words));
    }

    *#shardFiles(name: string, shards: readonly Shard[]): Generator<WrittenFile> {
        for (const [at, { lines }] of shards.entries()) {
            yield this.#file(`${name}-${at}`, JSON.stringify(lines.join(",")));
        }
    }

    #file(name: string, value: string): WrittenFile {
        return [`${this.folder}/${name}.js`, `staticExportSearch(${JSON.stringify(name)},${value});\n`];
    }
}

/** A page's description is shown and found as if it were the beginning of its text. */
function withLead(sections: readonly SearchSection[], description: string): SearchSection[] {
    return sections.map((section) =>
        section.id === "" && !section.text.startsWith(description)
            ? { ...section, text: `${description} ${section.text}`.trim() }
            : section,
    );
}
