/** The alerts of GitHub and Obsidian (`> [!NOTE] Title`) and hints of GitBook, with the callout for each. */
const names = {
    note: "note abstract details example quote secondary summary",
    tip: "tip hint",
    info: "info important question",
    check: "check success",
    warning: "warning warn attention",
    danger: "danger caution error failure bug",
} as const;

export type CalloutKind = keyof typeof names;

export const calloutKinds = Object.keys(names) as readonly CalloutKind[];

/** Follows the marker of a callout whose first line has content instead of a title. */
export const untitled = "\uE002";

const kinds = new Map(calloutKinds.flatMap((kind) => names[kind].split(" ").map((name) => [name, kind])));

/** Returns the kind of callout for the name of an alert or an admonition. */
export function calloutKindOf(name: string): CalloutKind | undefined {
    return kinds.get(name.toLowerCase());
}
