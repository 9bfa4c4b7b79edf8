import { emptyRecord, type Value } from "../../text/script-value.js";
import { type Component } from "./component.js";

/** What Docusaurus, Starlight, Fumadocs and Fern call components that do the same, and what authors take to be a name. */
export const otherNames: Readonly<Record<string, string>> = {
    Accordions: "AccordionGroup",
    Admonition: "Callout",
    Alert: "Callout",
    Aside: "Callout",
    Attention: "Warning",
    CardGrid: "CardGroup",
    Cards: "CardGroup",
    "Cards.Card": "Card",
    Caution: "Warning",
    Code: "CodeBlock",
    CodeBlocks: "CodeGroup",
    Details: "Accordion",
    DynamicCodeBlock: "CodeBlock",
    File: "Tree.File",
    Files: "Tree",
    Folder: "Tree.Folder",
    Hint: "Tip",
    Important: "Info",
    LinkButton: "Link",
    LinkCard: "Card",
    Success: "Check",
    TabItem: "Tab",
};

/** Their attributes that have another name here, where the one here is not given. */
const attributes: readonly (readonly [theirs: string, ours: string])[] = [
    ["label", "title"],
    ["lang", "language"],
    ["mark", "highlight"],
    ["value", "title"],
];

export function underOtherNames(components: ReadonlyMap<string, Component>): [string, Component][] {
    return Object.entries(otherNames).map(([theirs, ours]) => {
        const component = components.get(ours) as Component;
        return [theirs, (use) => component({ ...use, attributes: renamed(use.attributes) })];
    });
}

function renamed(given: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
    const all = Object.assign(emptyRecord(), given);
    for (const [theirs, ours] of attributes) {
        all[ours] ??= given[theirs];
    }
    return all;
}
