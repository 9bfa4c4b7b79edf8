import { cutPlace } from "@pulumi-static-export/contract";
import { pagesOfAVersionList, termOf } from "@pulumi-static-export/contract/search";
import { digestInName } from "../../text/digest-in-name.js";
import { getOrMake } from "../../text/get-or-make.js";
import { type SearchSection } from "../../text/search-text.js";
import { commonSynonyms } from "./common-synonyms.js";
import { type SearchScope } from "./scopes.js";
import { cutShards, type Shard } from "./shards.js";
import { GroupTerms, type RecordedTerms, type SearchedPage } from "./group-terms.js";
import { groupOf } from "./postings.js";
import { TermIndex } from "./term-index.js";
import { Vocabulary } from "./vocabulary.js";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

export type WrittenFile = readonly [file: string, content: string];

interface PageOfSearch extends SearchedPage {
    /** The part of the site that contains the page. */
    readonly scope: number;
    /** The page's file, relative to the export's root. */
    readonly address: string;
    readonly description: string | undefined;
}

/** The terms of pages, each with the number of their scope. */
export type RecordedSearch = readonly (readonly [scope: number, terms: RecordedTerms])[];

/** Merges the terms of neighbouring groups, in their order. */
export function mergeTerms(all: readonly RecordedSearch[]): RecordedSearch {
    const indexes = new Map<number, TermIndex>();
    const versions = new Map<number, (readonly [page: number, version: string])[]>();
    for (const [scope, terms] of all.flat()) {
        getOrMake(indexes, scope, () => new TermIndex()).add(terms);
        getOrMake(versions, scope, () => []).push(...terms.versions);
    }
    return [...indexes].map(([scope, index]) => {
        const { passageCount } = index;
        return [scope, { passageCount, lines: [...index.takeLines()].join("\n"), versions: versions.get(scope) ?? [] }];
    });
}

/** Matches words whose spelling the search corrects: readers mistype words, not names and numbers. */
const correctable = /^\p{L}{4,24}$/u;

/**
 * Writes the search of a site as scripts of bounded size, which even a page on disk may load, so that a reader loads
 * only the parts that a query needs. Loading a single index would take first-time visitors longer than all the pages
 * that they read. Names of files end with the version of their content, except for the scopes, which list these
 * versions.
 */
export class SiteSearch {
    readonly #words = new Vocabulary();
    /** The indexes, by the numbers of their scopes. */
    readonly #indexes = new Map<number, TermIndex>();
    /** The terms that were added since the last record, by scope and group. */
    readonly #added = new Map<number, Map<number, GroupTerms>>();
    readonly #versions = new PageVersions();

    /**
     * @param folder for the files, relative to the export's root
     * @param synonyms the site's own groups of words with the same meaning
     */
    constructor(
        private readonly folder: string,
        private readonly synonyms: readonly (readonly string[])[] = [],
    ) {}

    /** @returns the files with the page's text, from which a browser composes results */
    addPage(page: PageOfSearch, sections: readonly SearchSection[]): WrittenFile[] {
        const { description } = page;
        const passages = passagesOf(description === undefined ? sections : withLead(sections, description));
        const group = groupOf(page.number);
        const ofScope = getOrMake(this.#added, page.scope, () => new Map<number, GroupTerms>());
        const values = passages.map((passage) => {
            const texts = passage.map(({ id, heading, text }) => [id, heading, text]);
            return JSON.stringify([page.address, page.title, texts]);
        });
        const version = digestInName(values.join("\n"));
        getOrMake(ofScope, group, () => new GroupTerms(group, this.#words)).add(page, passages, version);
        return values.map((value, at) => {
            const name = at === 0 ? `text/${page.number}` : `text/${page.number}-${at}`;
            return this.#file(`${name}.${version}`, value);
        });
    }

    /** Takes the terms of the last pages, which `addRecorded` adds to the index, now or in a later export. */
    takeTerms(): RecordedSearch {
        const recorded = [...this.#added].flatMap(([scope, groups]) =>
            [...groups.values()].map((terms) => [scope, terms.recorded] as const),
        );
        this.#added.clear();
        return recorded;
    }

    /** Adds the terms of pages to the index. */
    addRecorded(record: RecordedSearch): void {
        for (const [scope, terms] of record) {
            this.#indexOf(scope).add(terms);
            this.#versions.add(terms.versions);
        }
    }

    /** Writes the search files that all pages share. */
    async *files(scopes: readonly SearchScope[]): AsyncGenerator<WrittenFile> {
        this.addRecorded(this.takeTerms());
        const names = scopes.map(({ name }) => name);
        const stemmerNames = new Map<string, string>();
        const pages = yield* this.#shardFiles("pages", this.#versions.lists());
        const facts: object[] = [];
        for (const [number, { path, language, tabs }] of scopes.entries()) {
            const index = this.#indexOf(number);
            const reversed: string[] = [];
            const termShards = cutShards(withReversedWords(index.takeLines(), reversed), termOf);
            const terms = yield* this.#shardFiles(`${number}/terms`, termShards);
            const endingShards = cutShards(terms.starts.length < 2 ? [] : reversed.sort(), (word) => word);
            const endings = yield* this.#shardFiles(`${number}/endings`, endingShards);
            const stemmer = stemmerOf(language);
            if (stemmer !== undefined && !stemmerNames.has(stemmer)) {
                const script = await stemmerScript(stemmer);
                stemmerNames.set(stemmer, `${stemmer}.${digestInName(script)}`);
                yield this.#file(`stemmer-${stemmerNames.get(stemmer)}`, script);
            }
            facts.push({
                names,
                ...(path.length > 0 && { path }),
                tabs,
                stemmer: stemmerNames.get(stemmer ?? ""),
                synonyms: [...this.synonyms, ...commonSynonyms(stemmer)],
                passages: index.passageCount,
                terms: terms.starts,
                endings: endings.starts,
                files: { terms: terms.versions, endings: endings.versions, pages: pages.versions },
            });
        }
        // The scopes are the last files, because they name the others.
        const version = digestInName(JSON.stringify(facts));
        for (const [number, ofScope] of facts.entries()) {
            yield this.#file(`${number}/scope`, JSON.stringify({ version, ...ofScope }));
        }
    }

    #indexOf(scope: number): TermIndex {
        return getOrMake(this.#indexes, scope, () => new TermIndex());
    }

    /** @returns the starts of the shards, and their versions */
    *#shardFiles(
        name: string,
        shards: Iterable<Shard>,
    ): Generator<WrittenFile, { readonly starts: string[]; readonly versions: string }> {
        const starts: string[] = [];
        let versions = "";
        for (const { from, lines } of shards) {
            const value = JSON.stringify(lines.join(","));
            const version = digestInName(value);
            yield this.#file(`${name}-${starts.length}.${version}`, value);
            starts.push(from);
            versions += version;
        }
        return { starts, versions };
    }

    #file(name: string, value: string): WrittenFile {
        return [`${this.folder}/${name}.js`, `staticExportSearch(${JSON.stringify(name)},${value});\n`];
    }
}

/** The versions of the texts of all pages, as numbers, because a large site has millions of pages. */
class PageVersions {
    readonly #lists: Uint32Array[] = [];

    add(versions: RecordedTerms["versions"]): void {
        for (const [page, version] of versions) {
            const at = Math.floor(page / pagesOfAVersionList);
            while (this.#lists.length <= at) {
                this.#lists.push(new Uint32Array(pagesOfAVersionList));
            }
            this.#lists[at]![page % pagesOfAVersionList] = Number.parseInt(version, 16);
        }
    }

    /** The lists as shards with one line each. */
    *lists(): Generator<Shard> {
        for (const list of this.#lists) {
            yield { from: "", lines: [Array.from(list, (each) => each.toString(16).padStart(8, "0")).join("")] };
        }
    }
}

/** Returns the lines, and adds the words whose spelling the search corrects, from their last letter to the first. */
function* withReversedWords(lines: Iterable<string>, reversed: string[]): Generator<string> {
    for (const line of lines) {
        const term = termOf(line);
        if (correctable.test(term)) {
            reversed.push(term.split("").reverse().join(""));
        }
        yield line;
    }
}

/**
 * Adds a page's description to the beginning of the page's text, so that the search finds and shows the description.
 */
function withLead(sections: readonly SearchSection[], description: string): SearchSection[] {
    return sections.map((section) =>
        section.id === "" && !section.text.startsWith(description)
            ? { ...section, text: `${description} ${section.text}`.trim() }
            : section,
    );
}

/** The languages with a stemmer, each with the stemmer's name, which is the language's English name. */
const stemmers: Readonly<Record<string, string>> = {
    ar: "arabic",
    bg: "bulgarian",
    da: "danish",
    de: "german",
    el: "greek",
    en: "english",
    es: "spanish",
    fi: "finnish",
    fr: "french",
    hu: "hungarian",
    id: "indonesian",
    it: "italian",
    lt: "lithuanian",
    nb: "norwegian",
    nl: "dutch",
    no: "norwegian",
    pt: "portuguese",
    ro: "romanian",
    ru: "russian",
    sv: "swedish",
    tr: "turkish",
    uk: "ukrainian",
};

/** The name of a language's stemmer; undefined for a language without a stemmer. */
function stemmerOf(language: string): string | undefined {
    const [code = ""] = language.toLowerCase().split(/[-_]/);
    return Object.hasOwn(stemmers, code) ? stemmers[code] : undefined;
}

/** A JavaScript expression for the browser, whose value is the stemming function. */
async function stemmerScript(name: string): Promise<string> {
    const path = createRequire(import.meta.url).resolve(`@orama/stemmers/${name}`);
    const source = (await readFile(path, "utf8")).replace(/\n?\/\/# sourceMappingURL=\S*\s*$/, "");
    return `(()=>{const module={exports:{}},exports=module.exports;${source};return module.exports.stemmer})()`;
}

/** The approximate amount that a browser loads to show one result. */
const maxCharacters = 3000;

/**
 * Splits a page's text into passages of bounded length, at headings if possible. The index and the results consist of
 * passages, so that a long page costs no more than a short one and does not rank higher because of its length.
 */
export function passagesOf(sections: readonly SearchSection[]): SearchSection[][] {
    const passages: SearchSection[][] = [];
    let passage: SearchSection[] = [];
    let length = 0;
    for (const section of sections.flatMap(cutSection)) {
        const added = section.heading.length + section.text.length;
        if (length > 0 && length + added > maxCharacters) {
            passages.push(passage);
            passage = [];
            length = 0;
        }
        passage.push(section);
        length += added;
    }
    return [...passages, passage];
}

function cutSection(section: SearchSection): SearchSection[] {
    const { text } = section;
    const cut: SearchSection[] = [];
    let start = 0;
    while (text.length - start > maxCharacters) {
        const space = text.lastIndexOf(" ", start + maxCharacters);
        const end = space > start ? space : cutPlace(text, start + maxCharacters);
        cut.push({ ...section, text: text.slice(start, end) });
        start = end;
    }
    return [...cut, { ...section, text: text.slice(start).trim() }];
}
