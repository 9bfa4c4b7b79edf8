import { calloutComponents } from "./callouts.js";
import { cardComponents } from "./cards.js";
import { type Component } from "./component.js";
import { disclosureComponents } from "./disclosures.js";
import { fieldComponents } from "./fields.js";
import { mediaComponents } from "./media.js";
import { pagePartComponents } from "./page-parts.js";
import { tabComponents } from "./tabs.js";
import { treeComponents } from "./trees.js";
import { type ValueRecord, emptyRecord, type Value } from "../../text/script-value.js";

/** Attributes that contain text for readers in any component. */
const textNames = new Set(
    "title name label heading description caption hint tip headline cta summary subtitle text question answer content".split(
        " ",
    ),
);

/** Attributes that only affect the look, are for scripts, or request the default behaviour. */
const ofAll =
    /^(?:class(?:Name)?|style|variant|id|key|ref|children|slot|lang|dir|on[A-Z].*|(?:data|aria)-.*|groupId|syncKey|queryString|noAnchor)$/;

/** Returns a component that warns about each unsupported attribute, except attributes that any element may have. */
function reportingUnreadAttributes(component: Component): Component {
    return (use) => {
        const given = use.attributes;
        const unread = new Set(Object.keys(given).filter((name) => isReported(name, given)));
        if (unread.size === 0) {
            return component(use);
        }
        const attributes = new Proxy(given, {
            get: (_, name: string) => {
                unread.delete(name);
                return given[name];
            },
        });
        const html = component({ ...use, attributes });
        for (const name of unread) {
            const reason = textNames.has(name)
                ? "is left out: the component shows no such text"
                : "has no effect: the component has no such attribute here";
            use.context.warn("attribute", `${name} in <${use.name}> ${reason}`);
        }
        return html;
    };
}

function isReported(name: string, given: ValueRecord): boolean {
    const value = given[name];
    return !ofAll.test(name) && value !== undefined && value !== null && value !== "" && value !== false;
}

/** Names that authors often guess, from other documentation platforms. */
export const otherNames: Readonly<Record<string, string>> = {
    Accordions: "AccordionGroup",
    Alert: "Callout",
    Attention: "Warning",
    Cards: "CardGroup",
    Caution: "Warning",
    Code: "CodeBlock",
    CodeBlocks: "CodeGroup",
    Details: "Accordion",
    File: "Tree.File",
    Files: "Tree",
    Folder: "Tree.Folder",
    Hint: "Tip",
    Important: "Info",
    Success: "Check",
};

/** Alternative names of attributes, which count if the usual name is missing. */
const attributes: readonly (readonly [theirs: string, ours: string])[] = [
    ["label", "title"],
    ["lang", "language"],
    ["mark", "highlight"],
    ["value", "title"],
];

function underOtherNames(components: ReadonlyMap<string, Component>): [string, Component][] {
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

const shared: ReadonlyMap<string, Component> = new Map<string, Component>([
    ...calloutComponents,
    ...cardComponents,
    ...disclosureComponents,
    ...fieldComponents,
    ...mediaComponents,
    ...pagePartComponents,
    ...tabComponents,
    ...treeComponents,
]);

/** The components that documentation platforms share, as static HTML, by their MDX names. */
export const components: ReadonlyMap<string, Component> = new Map([
    ...underOtherNames(shared),
    ...[...shared].map(([name, component]): [string, Component] => [name, reportingUnreadAttributes(component)]),
]);
