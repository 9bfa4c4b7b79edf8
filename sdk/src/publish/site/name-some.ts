import { quoteName } from "../../bundle/entry-path.js";

const maxNamed = 5;

/** Names the first of several paths, quoted. */
export function nameSome(paths: readonly string[]): string {
    const named = paths.slice(0, maxNamed).map(quoteName).join(", ");
    return paths.length > maxNamed ? `${named} and others` : named;
}
