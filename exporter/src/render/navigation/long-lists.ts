import { getOrMake } from "../../text/get-or-make.js";
import { chunksOf } from "../../text/chunks.js";
import { type NavGroup, type NavItem, type NavSection } from "../../plan/navigation/navigation.js";
import { type Places } from "../../plan/navigation/places.js";

/**
 * In a site with more than `maxPages` pages, a page does not contain the whole list of a section with more than
 * `maxPagesOfSection` pages.
 */
const maxPages = 300;
const maxPagesOfSection = 120;

/** A list with more items is divided into blocks. Each block is shown with a few items of its neighbours. */
const maxItems = 40;
const itemsOfBlock = 20;
const itemsAround = 5;

/** The number of items that one page lists for readers without scripts. */
const itemsOfListPage = 200;

/** The part of a list that a page shows; the rest is folded. */
export interface Shown {
    readonly from: number;
    readonly to: number;
}

/** A list that is too long to be in every page: only pages that show nothing else contain it. */
export interface LongList {
    readonly number: number;
    readonly items: readonly NavItem[];
    /** The groups around the items, outermost first. */
    readonly groups: readonly NavGroup[];
}

/** The lists of pages that are too long to be in each page. */
export class LongLists {
    readonly #found = new Map<NavSection, ReadonlyMap<readonly NavItem[], LongList>>();
    readonly #positions = new WeakMap<readonly NavItem[], ReadonlyMap<string | NavGroup, number>>();

    /** @param folder of the files with the parts of lists that pages omit */
    constructor(
        private readonly places: Places,
        private readonly folder: string,
    ) {}

    /** Whether pages of the section omit a part of its list. */
    isLarge(section: NavSection): boolean {
        return this.places.count > maxPages && this.places.routesOf(section).length > maxPagesOfSection;
    }

    /**
     * Returns the number of the block that contains a page or a group; 0 if the list has no blocks or does not contain
     * the page or group.
     */
    blockOf(items: readonly NavItem[], shown: string | NavGroup | undefined): number {
        if (items.length <= maxItems || shown === undefined) {
            return 0;
        }
        const positions = getOrMake(this.#positions, items, () => positionsIn(items));
        return Math.floor((positions.get(shown) ?? 0) / itemsOfBlock);
    }

    /** Returns all items, or the items of the block and a few of its neighbours. */
    shown({ length }: readonly NavItem[], block: number): Shown {
        if (length <= maxItems) {
            return { from: 0, to: length };
        }
        const from = block * itemsOfBlock - itemsAround;
        const to = (block + 1) * itemsOfBlock + itemsAround;
        // Does not fold only a few items, because that saves nothing.
        return { from: from <= itemsAround ? 0 : from, to: to >= length - itemsAround ? length : to };
    }

    /** The long lists of a section, by their items. */
    in(section: NavSection): ReadonlyMap<readonly NavItem[], LongList> {
        return getOrMake(this.#found, section, () => {
            const found = [...listsIn(section.items, [])].filter(({ items }) => items.length > maxItems);
            return new Map(found.map((list, number) => [list.items, { ...list, number }]));
        });
    }

    /** The script with all entries of a section. */
    fileOf(section: NavSection): string {
        return `${this.folder}/${this.places.numberOf(section)}.js`;
    }

    /** Returns the route of the page with one part of a long list, or with links to all parts. */
    routeOf(section: NavSection, { number }: LongList, piece?: number): string {
        const list = `${this.folder}/${this.places.numberOf(section)}-${number}`;
        return piece === undefined ? list : `${list}-${piece}`;
    }
}

/** The pages that show a long list without scripts, with the items of each. */
export function piecesOfList({ items }: LongList): NavItem[][] {
    return chunksOf(items, itemsOfListPage);
}

/** The number of the part that contains the item. */
export function pieceOf(item: number): number {
    return Math.floor(item / itemsOfListPage);
}

function positionsIn(items: readonly NavItem[]): Map<string | NavGroup, number> {
    const positions = new Map<string | NavGroup, number>();
    for (const [at, item] of items.entries()) {
        if (item.kind !== "link") {
            getOrMake(positions, item.kind === "page" ? item.route : item, () => at);
        }
    }
    return positions;
}

function* listsIn(
    items: readonly NavItem[],
    groups: readonly NavGroup[],
): Generator<Pick<LongList, "items" | "groups">> {
    yield { items, groups };
    for (const item of items) {
        if (item.kind === "group") {
            yield* listsIn(item.items, [...groups, item]);
        }
    }
}
