import { type HastElement } from "./page-renderer.js";
import { escapeHtml } from "./html-text.js";

export type CalloutKind = "note" | "tip" | "info" | "check" | "warning" | "danger";

const labels: Record<CalloutKind, string> = {
    note: "Note",
    tip: "Tip",
    info: "Info",
    check: "Check",
    warning: "Warning",
    danger: "Danger",
};

/** GitHub's alerts, `> [!NOTE]`, and what they are called here. */
const alertKinds: Record<string, CalloutKind> = {
    NOTE: "note",
    TIP: "tip",
    IMPORTANT: "info",
    WARNING: "warning",
    CAUTION: "danger",
};

const alertMark = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i;

export function isCallout(blockquote: HastElement): boolean {
    return markOf(blockquote) !== undefined;
}

/** Takes the mark out of the blockquote's text and says which kind it named. */
export function calloutOf(blockquote: HastElement): CalloutKind {
    const mark = markOf(blockquote);
    if (mark === undefined) return "note";
    mark.text.value = mark.text.value.replace(alertMark, "");
    return mark.kind;
}

export function writeCallout(kind: CalloutKind, content: string, title?: string): string {
    const label = escapeHtml(title ?? labels[kind]);
    const head = `<p class="callout-title">${label}</p>`;
    return `<div class="callout ${kind}" role="note" aria-label="${label}">${head}${content}</div>`;
}

function markOf(blockquote: HastElement): { text: { value: string }; kind: CalloutKind } | undefined {
    const paragraph = blockquote.children.find((child) => child.type === "element");
    const text = paragraph?.tagName === "p" ? paragraph.children[0] : undefined;
    if (text?.type !== "text") return undefined;
    const kind = alertKinds[alertMark.exec(text.value)?.[1]?.toUpperCase() ?? ""];
    return kind && { text, kind };
}
