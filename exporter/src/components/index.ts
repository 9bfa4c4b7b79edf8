import { calloutComponents } from "./kinds/callouts.js";
import { cardComponents } from "./kinds/cards.js";
import { type Component } from "./kinds/component.js";
import { disclosureComponents } from "./kinds/disclosures.js";
import { fieldComponents } from "./kinds/fields.js";
import { mediaComponents } from "./kinds/media.js";
import { underOtherNames } from "./other-names.js";
import { pagePartComponents } from "./kinds/page-parts.js";
import { tabComponents } from "./kinds/tabs.js";
import { treeComponents } from "./kinds/trees.js";
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
