import { type HastNode } from "satteri";
import { type ComponentHost } from "../components/kinds/component.js";
import { type WarningKind } from "../problems/warnings.js";
import { type Value } from "../script/value.js";

type Properties = Readonly<Record<string, unknown>>;

/** What writing a part of a page asks of the page. */
export interface PageHost extends ComponentHost {
    renderNodes(nodes: readonly HastNode[]): string;
    /** A value without any markup. */
    plainText(value: Value): string;
    tag(name: string, properties: Properties, inner: () => string): string;
    heading(name: string, properties: Properties, text: string, inner: () => string): string;
    /** Warns of an element that HTML does not know, once for each name. */
    warnOfUnknown(tagName: string, reason: string): void;
    /** @param text the beginning of the warning's cause, in upper or lower case: raw HTML keeps no positions */
    warnNear(text: string, kind: WarningKind, reason: string): void;
}
