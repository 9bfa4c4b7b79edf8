import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createRandom, integerBetween, pick, type Random } from "../random.js";

const vocabularySize = 40_000;
const pagesOfAFolder = 40;
const sectionsOfAPage = 6;
const wordsOfASection = 60;

const syllables = "ba con de ex fi gra in lo mer no pro re sta ter un ver".split(" ") as [string, ...string[]];
const endings = ["t", "ted", "ting", "ts", "tion", "tions", "ter", "ly", "n", "s"] as const;

/**
 * A site with many words, whose frequencies resemble a natural language: the second word occurs half as often as the
 * first, the third a third as often, and so on.
 */
export class SearchCorpus {
    readonly words: readonly string[];
    readonly #random: Random;

    constructor(
        readonly pageCount: number,
        seed: number,
    ) {
        this.#random = createRandom(seed);
        const words = new Set<string>();
        while (words.size < vocabularySize) {
            const length = integerBetween(this.#random, 1, 4);
            const start = Array.from({ length }, () => pick(this.#random, syllables)).join("");
            words.add(start + pick(this.#random, endings));
        }
        this.words = [...words];
    }

    async write(folder: string): Promise<void> {
        for (let page = 0; page < this.pageCount; page++) {
            const file = join(folder, `part-${Math.floor(page / pagesOfAFolder)}/page-${page}.md`);
            await mkdir(dirname(file), { recursive: true });
            await writeFile(file, this.#page());
        }
    }

    /** Returns queries of readers, with words of all kinds: alone, with their neighbours, incomplete, and misspelt. */
    queries(count: number): string[] {
        return Array.from({ length: count }, (_, at) => {
            const word = this.#word(7);
            switch (at % 4) {
                case 0:
                    return word;
                case 1:
                    return `${this.#word(3)} ${word}`;
                case 2:
                    return word.slice(0, 5);
                default:
                    return `${word.slice(0, 3)}${word.slice(4)}`;
            }
        });
    }

    #page(): string {
        const sections = Array.from({ length: sectionsOfAPage }, () => {
            const text = Array.from({ length: wordsOfASection }, () => this.#word(1)).join(" ");
            return `## ${this.#word(5)} ${this.#word(5)}\n\n${text}.`;
        });
        return `---\ntitle: ${this.#word(5)} ${this.#word(5)} ${this.#word(5)}\n---\n\n${sections.join("\n\n")}\n`;
    }

    /** Chooses a word by Zipf's law: a word's frequency falls with its rank. */
    #word(minLetters: number): string {
        for (;;) {
            const word = this.words[Math.floor(vocabularySize ** this.#random()) - 1] ?? "";
            if (word.length >= minLetters) {
                return word;
            }
        }
    }
}
