/**
 * Finds values in a text, of which it sees each character once: Aho and Corasick's automaton. Its time depends neither
 * on the number of values nor on the text. A state is the longest beginning of a value with which the text ends.
 */
export class ValueFinder {
    readonly #first = new Map<number, number>();
    readonly #characters = [0];
    /** The first state one character further; 0 for none. */
    readonly #children = [0];
    /** The next state with the same beginning; 0 for none. */
    readonly #siblings = [0];
    /** The state of the longest shorter end of the text. */
    readonly #shorter = [0];
    readonly #depths = [0];
    readonly #found = [0];
    readonly longest: number;

    constructor(values: readonly string[]) {
        this.longest = values.reduce((most, { length }) => Math.max(most, length), 0);
        values.forEach((value) => this.#add(value));
        this.#link();
    }

    /** The state after a character. @param state - 0 at the beginning */
    after(state: number, character: number): number {
        for (let from = state; from !== 0; from = this.#shorter[from] as number) {
            const next = this.#childOf(from, character);
            if (next !== 0) {
                return next;
            }
        }
        return this.#first.get(character) ?? 0;
    }

    /** The length of the longest value that ends here; 0 for none. */
    foundIn(state: number): number {
        return this.#found[state] as number;
    }

    /** The length of the beginning of a value that ends here. */
    depthOf(state: number): number {
        return this.#depths[state] as number;
    }

    #childOf(state: number, character: number): number {
        let child = this.#children[state] as number;
        while (child !== 0 && this.#characters[child] !== character) {
            child = this.#siblings[child] as number;
        }
        return child;
    }

    #add(value: string): void {
        let state = 0;
        for (let at = 0; at < value.length; at += 1) {
            const character = value.charCodeAt(at);
            const known = state === 0 ? (this.#first.get(character) ?? 0) : this.#childOf(state, character);
            state = known === 0 ? this.#create(state, character) : known;
        }
        this.#found[state] = value.length;
    }

    #create(parent: number, character: number): number {
        const state = this.#characters.push(character) - 1;
        this.#children.push(0);
        this.#shorter.push(0);
        this.#found.push(0);
        this.#depths.push(this.depthOf(parent) + 1);
        this.#siblings.push(parent === 0 ? 0 : (this.#children[parent] as number));
        if (parent === 0) {
            this.#first.set(character, state);
        } else {
            this.#children[parent] = state;
        }
        return state;
    }

    /** Links the states, those with short beginnings first. */
    #link(): void {
        const queue = [...this.#first.values()];
        for (const state of queue) {
            for (let child = this.#children[state] as number; child !== 0; child = this.#siblings[child] as number) {
                const shorter = this.after(this.#shorter[state] as number, this.#characters[child] as number);
                this.#shorter[child] = shorter;
                this.#found[child] = Math.max(this.foundIn(child), this.foundIn(shorter));
                queue.push(child);
            }
        }
    }
}
