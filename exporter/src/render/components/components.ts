import { calloutComponents } from "./callouts.js";
import { cardComponents } from "./cards.js";
import { type Component } from "./component.js";
import { disclosureComponents } from "./disclosures.js";
import { fieldComponents } from "./fields.js";
import { mediaComponents } from "./media.js";
import { underOtherNames } from "./other-names.js";
import { pagePartComponents } from "./page-parts.js";
import { tabComponents } from "./tabs.js";
import { treeComponents } from "./trees.js";
import { tellingUnreadAttributes } from "./unread-attributes.js";

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

/** The components that documentation platforms share, as static HTML, by their names in MDX. */
export const components: ReadonlyMap<string, Component> = new Map([
    ...underOtherNames(shared),
    ...[...shared].map(([name, component]): [string, Component] => [name, tellingUnreadAttributes(component)]),
]);
