import { CopyFinder } from "./copy-finder.js";
import { isDistinctive } from "./is-distinctive.js";

/**
 * How to treat strings that equal a secret but may be unrelated to it. The name of a secret is the place where it is
 * marked.
 */
export interface CopyChoices {
    readonly keepCopiesOf: readonly string[];
    readonly replaceCopiesOf: readonly string[];
}

export const noChoices: CopyChoices = { keepCopiesOf: [], replaceCopiesOf: [] };

/** How often replacing is repeated, because a replacement can complete or uncover another copy. */
const maxRounds = 8;

/**
 * Replaces the copies of secrets in other strings, and records strings that equal a secret but may be unrelated to it.
 */
export class CopyReplacer {
    /** The possible copies of secrets that are not distinctive, by the secret's name. */
    readonly ambiguous = new Map<string, Set<string>>();
    readonly #all: CopyFinder;
    readonly #distinctive: CopyFinder;
    readonly #names: ReadonlyMap<string, string>;
    readonly #replaced: ReadonlySet<string>;

    /**
     * @param names - the place where each secret is marked, by the secret
     * @param placeholderOf - returns a secret's placeholder
     */
    constructor(
        names: ReadonlyMap<string, string>,
        { keepCopiesOf, replaceCopiesOf }: CopyChoices,
        private readonly placeholderOf: (secret: string) => string,
    ) {
        const distinctive = [...names.keys()].filter(isDistinctive);
        this.#distinctive = new CopyFinder(distinctive);
        // Uses the printed names, which contain no secrets, because users choose strings by these names.
        this.#names = new Map([...names].map(([secret, name]) => [secret, this.#withoutDistinctive(name)]));
        const isChosen = (choices: readonly string[], secret: string) => choices.includes(this.nameOf(secret));
        const secrets = [...names.keys()].filter((secret) => !isChosen(keepCopiesOf, secret));
        this.#all = new CopyFinder(secrets);
        this.#distinctive = new CopyFinder(secrets.filter(isDistinctive));
        this.#replaced = new Set(
            secrets.filter((secret) => isChosen(replaceCopiesOf, secret) || isDistinctive(secret)),
        );
    }

    /**
     * @param place - the name of a string that may equal a secret by coincidence; if undefined, a coincidental copy is
     * not replaced
     */
    replace(text: string, place?: () => string): string {
        if (place === undefined) {
            return this.#withoutDistinctive(text);
        }
        const replaced = this.#all.replace(text, (secret) => {
            if (!this.#replaced.has(secret)) {
                this.#remember(secret, place());
            }
            return this.placeholderOf(secret);
        });
        return replaced === text ? text : this.#withoutDistinctive(replaced);
    }

    /** The secrets that the text contains, except those that may match by coincidence. */
    secretsIn(text: string): string[] {
        const found: string[] = [];
        this.#distinctive.replace(text, (secret) => {
            found.push(secret);
            return "";
        });
        return found;
    }

    /** The place where the secret is marked, without any secret. */
    nameOf(secret: string): string {
        return this.#names.get(secret) ?? "";
    }

    #withoutDistinctive(text: string): string {
        let replaced = text;
        for (let round = 0; round < maxRounds; round += 1) {
            const next = this.#distinctive.replace(replaced, this.placeholderOf);
            if (next === replaced) {
                break;
            }
            replaced = next;
        }
        return replaced;
    }

    #remember(secret: string, place: string): void {
        const name = this.nameOf(secret);
        const places = this.ambiguous.get(name) ?? new Set();
        this.ambiguous.set(name, places.add(this.#withoutDistinctive(place)));
    }
}
