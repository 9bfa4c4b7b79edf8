import type { Inventory } from "../records/inventory.js";
import { recordKey } from "../records/site-record.js";
import { foldName } from "../targets/folder-files.js";
import type { WantedPaths } from "../targets/site-target.js";

/** The paths of several inventories, with the folders in which they are. */
export class WantedFiles implements WantedPaths {
    readonly #inventories: readonly Inventory[];
    readonly #folders = new Set<string>();
    #byFoldedName: Map<string, string[]> | undefined;

    constructor(...inventories: readonly Inventory[]) {
        this.#inventories = inventories;
        for (const path of this.#paths()) {
            for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
                const folder = path.slice(0, end + 1);
                if (this.#folders.has(folder)) {
                    break;
                }
                this.#folders.add(folder);
            }
        }
    }

    has(path: string): boolean {
        return this.#inventories.some((inventory) => inventory.has(path));
    }

    hasBelow(folder: string): boolean {
        return this.#folders.has(folder);
    }

    nextAfter(path: string): string | undefined {
        let next: string | undefined;
        const consider = (other: string) => {
            if (isBefore(path, other) && (next === undefined || isBefore(other, next))) {
                next = other;
            }
        };
        for (const other of this.#paths()) {
            consider(other);
        }
        for (const folder of this.#folders) {
            consider(folder + recordKey);
        }
        return next;
    }

    spellingsOf(path: string): readonly string[] {
        this.#byFoldedName ??= this.#foldNames();
        return this.#byFoldedName.get(foldName(path)) ?? [];
    }

    *#paths(): Generator<string> {
        for (const inventory of this.#inventories) {
            yield* inventory.keys();
        }
    }

    #foldNames(): Map<string, string[]> {
        const spellings = new Map<string, string[]>();
        for (const path of new Set([...this.#folders, ...this.#paths()])) {
            const folded = foldName(path);
            spellings.set(folded, [...(spellings.get(folded) ?? []), path]);
        }
        return spellings;
    }
}

/** Compares in the order of UTF-8 bytes, in which buckets list their objects. */
function isBefore(one: string, other: string): boolean {
    // The order of UTF-16 differs only behind the surrogates.
    const isPlain = !/[\ud800-\uffff]/.test(one + other);
    return isPlain ? one < other : Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0;
}
