import { nearestName } from "../../text/nearest-name.js";

/** A longer search would slow down an export of a large site with many dead links. */
const maxRoutes = 20_000;

const found = new WeakMap<object, Map<string, string | undefined>>();

/**
 * The page that an author most likely meant: its address differs in one part, and the two parts are similar.
 * @param pages by route
 */
export function nearestRoute(route: string, pages: ReadonlyMap<string, unknown>): string | undefined {
    if (pages.size > maxRoutes) {
        return undefined;
    }
    const known = found.get(pages) ?? new Map<string, string | undefined>();
    found.set(pages, known);
    if (!known.has(route)) {
        known.set(route, search(route, pages.keys()));
    }
    return known.get(route);
}

function search(route: string, routes: Iterable<string>): string | undefined {
    const parts = route.split("/");
    const similar = parts.map(() => new Map<string, string>());
    for (const each of routes) {
        if (Math.abs(each.length - route.length) > 3) {
            continue;
        }
        const others = each.split("/");
        const at = parts.findIndex((part, index) => part !== others[index]);
        if (others.length === parts.length && parts.every((part, index) => index === at || part === others[index])) {
            similar[at]?.set(others[at] ?? "", each);
        }
    }
    for (const [at, names] of similar.entries()) {
        const name = nearestName(parts[at] ?? "", names.keys());
        if (name !== undefined) {
            return names.get(name);
        }
    }
    return undefined;
}
