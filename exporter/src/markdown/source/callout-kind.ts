export type CalloutKind = "note" | "tip" | "info" | "check" | "warning" | "danger";

/** Alerts of GitHub and Obsidian, `> [!NOTE] Title`, and admonitions of others, and what they are called here. */
const kinds: Readonly<Record<string, CalloutKind>> = {
    NOTE: "note",
    ABSTRACT: "note",
    DETAILS: "note",
    EXAMPLE: "note",
    QUOTE: "note",
    SECONDARY: "note",
    SUMMARY: "note",
    TIP: "tip",
    HINT: "tip",
    INFO: "info",
    IMPORTANT: "info",
    QUESTION: "info",
    CHECK: "check",
    SUCCESS: "check",
    WARN: "warning",
    WARNING: "warning",
    ATTENTION: "warning",
    CAUTION: "danger",
    DANGER: "danger",
    ERROR: "danger",
    FAILURE: "danger",
    BUG: "danger",
};

/** The kind of callout that a name of an alert or an admonition stands for. */
export function calloutKindOf(name: string): CalloutKind | undefined {
    const key = name.toUpperCase();
    return Object.hasOwn(kinds, key) ? kinds[key] : undefined;
}
