const leastSlots = 1024;

/** Whole numbers from 0 to 2^32 - 2, in a quarter of the memory of a JavaScript set. */
export class NumberSet {
    /**
     * Each slot contains a number plus one, or 0 if the slot is free. A number is in its slot, or in the next free one.
     */
    #slots: Uint32Array;
    #size = 0;

    /** @param expected about how many numbers the set will contain: each growth moves all numbers */
    constructor(expected = 0) {
        this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(leastSlots, expected * 2))));
    }

    has(number: number): boolean {
        return this.#slots[this.#slotOf(number)] !== 0;
    }

    add(number: number): void {
        const slot = this.#slotOf(number);
        if (this.#slots[slot] !== 0) {
            return;
        }
        this.#slots[slot] = number + 1;
        this.#size += 1;
        if (this.#size * 2 > this.#slots.length) {
            const before = this.#slots;
            this.#slots = new Uint32Array(before.length * 2);
            before.forEach((value) => {
                if (value !== 0) {
                    this.#slots[this.#slotOf(value - 1)] = value;
                }
            });
        }
    }

    /** The slot that contains the number, or the free slot for this number. */
    #slotOf(number: number): number {
        const last = this.#slots.length - 1;
        // Spreads consecutive numbers, so that they do not fill long rows of slots.
        let slot = (Math.imul(number, 0x9e3779b1) >>> 4) & last;
        while (this.#slots[slot] !== 0 && this.#slots[slot] !== number + 1) {
            slot = (slot + 1) & last;
        }
        return slot;
    }
}
