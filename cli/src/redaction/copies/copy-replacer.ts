import { CopyFinder } from "./copy-finder.js";
import { isDistinctive } from "./is-distinctive.js";

/**
 * What to do with texts that equal a secret, perhaps by chance. Secrets are named by the place where they are marked.
 */
export interface CopyChoices {
    readonly keepCopiesOf: readonly string[];
    readonly replaceCopiesOf: readonly string[];
}

export const noChoices: CopyChoices = { keepCopiesOf: [], replaceCopiesOf: [] };

/** A replacement can complete another copy, or uncover one that it overlaps with. */
const maxRounds = 8;

/**
 * Replaces the copies of secrets in other texts, and remembers texts that may be copies or may equal a secret by
 * chance.
 */
export class CopyReplacer {
    /** Where a secret that is not distinctive may have been copied, by the secret's name. */
    readonly ambiguous = new Map<string, Set<string>>();
    readonly #all: CopyFinder;
    readonly #distinctive: CopyFinder;
    readonly #names: ReadonlyMap<string, string>;
    readonly #replaced: ReadonlySet<string>;

    /**
     * @param names - the place where each secret is marked, by the secret
     * @param placeholderOf - of a secret
     */
    constructor(
        names: ReadonlyMap<string, string>,
        { keepCopiesOf, replaceCopiesOf }: CopyChoices,
        private readonly placeholderOf: (secret: string) => string,
    ) {
        const distinctive = [...names.keys()].filter(isDistinctive);
        this.#distinctive = new CopyFinder(distinctive);
        // The names are printed without secrets, and users choose by the printed names.
        this.#names = new Map([...names].map(([secret, name]) => [secret, this.#withoutDistinctive(name)]));
        const isChosen = (choices: readonly string[], secret: string) => choices.includes(this.nameOf(secret));
        const secrets = [...names.keys()].filter((secret) => !isChosen(keepCopiesOf, secret));
        this.#all = new CopyFinder(secrets);
        this.#distinctive = new CopyFinder(secrets.filter(isDistinctive));
        this.#replaced = new Set(
            secrets.filter((secret) => isChosen(replaceCopiesOf, secret) || isDistinctive(secret)),
        );
    }

    /** @param place - names the text if it may be a copy by chance; without it, such texts stay */
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

    /** The secrets that the text contains, other than by chance. */
    secretsIn(text: string): string[] {
        const found: string[] = [];
        this.#distinctive.replace(text, (secret) => {
            found.push(secret);
            return "";
        });
        return found;
    }

    /** Where the secret is marked, without any secret. */
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
