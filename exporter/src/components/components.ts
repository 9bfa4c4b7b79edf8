import { calloutComponents } from "./callouts.js";
import { cardComponents } from "./cards.js";
import { type Component, type Components, type ComponentUse } from "./component.js";
import { disclosureComponents } from "./disclosures.js";
import { fieldComponents } from "./fields.js";
import { mediaComponents } from "./media.js";
import { pagePartComponents } from "./page-parts.js";
import { tabComponents } from "./tabs.js";
import { treeComponents } from "./trees.js";
import { type ValueRecord, emptyRecord, type Value } from "../text/script-value.js";

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
function reportingUnreadAttributes({ html: write, ...others }: Component): Component {
    const html = (use: ComponentUse) => {
        const given = use.attributes;
        const unread = new Set(Object.keys(given).filter((name) => isReported(name, given)));
        if (unread.size === 0) {
            return write(use);
        }
        const attributes = new Proxy(given, {
            get: (_, name: string) => {
                unread.delete(name);
                return given[name];
            },
        });
        const written = write({ ...use, attributes });
        for (const name of unread) {
            const reason = textNames.has(name)
                ? "is left out: the component shows no such text"
                : "has no effect: the component has no such attribute here";
            use.context.warn("attribute", `${name} in <${use.name}> ${reason}`);
        }
        return written;
    };
    return { ...others, html };
}

function isReported(name: string, given: ValueRecord): boolean {
    const value = given[name];
    return !ofAll.test(name) && value !== undefined && value !== null && value !== "" && value !== false;
}

/** Alternative names of attributes, which count if the usual name is missing. */
const attributes: readonly (readonly [theirs: string, ours: string])[] = [
    ["label", "title"],
    ["lang", "language"],
    ["mark", "highlight"],
    ["value", "title"],
];

function renamed(given: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
    const all = Object.assign(emptyRecord(), given);
    for (const [theirs, ours] of attributes) {
        all[ours] ??= given[theirs];
    }
    return all;
}

const declared: Components = {
    ...calloutComponents,
    ...cardComponents,
    ...disclosureComponents,
    ...fieldComponents,
    ...mediaComponents,
    ...pagePartComponents,
    ...tabComponents,
    ...treeComponents,
};

/** The names of components that authors often guess, with the components' own names. */
export const otherNames: ReadonlyMap<string, string> = new Map(
    Object.entries(declared).flatMap(([name, one]) => ("sameAs" in one ? [[name, one.sameAs]] : [])),
);

/** The components that documentation platforms share, by their MDX names. */
export const components: ReadonlyMap<string, Component> = new Map([
    ...Array.from(otherNames, ([theirs, ours]): [string, Component] => {
        const { html, ...others } = declared[ours] as Component;
        return [theirs, { ...others, html: (use) => html({ ...use, attributes: renamed(use.attributes) }) }];
    }),
    ...Object.entries(declared).flatMap(([name, one]): [string, Component][] =>
        "sameAs" in one ? [] : [[name, reportingUnreadAttributes(one)]],
    ),
]);

/** Names that the exporter reads without a component. */
const builtIn = ["Fragment", "React.Fragment", "Snippet"];

/** Whether a tag of this name is a component and not text. */
export function isComponentName(name: string): boolean {
    return builtIn.includes(name) || (components.has(name) && declared[name]?.mayBe !== "text");
}

/** The names of components whose tags show that a Markdown page is MDX. */
export const unmistakableNames: readonly string[] = [...components.keys()].filter(
    (name) => declared[name]?.mayBe === undefined && !name.includes("."),
);
