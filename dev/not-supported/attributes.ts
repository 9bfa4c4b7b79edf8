import { components } from "../../exporter/src/components/components.js";
import { type ComponentContext } from "../../exporter/src/components/component.js";
import { HeadingIds } from "../../exporter/src/html/heading-ids.js";
import { PageSides } from "../../exporter/src/html/page-sides.js";
import { SearchText } from "../../exporter/src/text/search-text.js";

/** The attributes that the platform documents, by component. */
const documented: Readonly<Record<string, string>> = {
    Note: "icon iconType",
    Callout: "icon iconType color",
    Accordion: "title description defaultOpen id icon iconType",
    Expandable: "title defaultOpen",
    Badge: "color size shape icon iconType stroke disabled",
    Card: "title icon iconType color href horizontal img cta arrow type",
    Columns: "cols",
    Tile: "href title description",
    CodeGroup: "dropdown",
    CodeBlock: "language filename icon lines wrap expandable highlight focus",
    Color: "variant",
    "Color.Row": "title",
    "Color.Item": "name value",
    Frame: "caption hint",
    "GitHub.Repo": "repo variant",
    Icon: "icon iconType color size",
    Prompt: "description actions icon iconType",
    ParamField: "path type required deprecated default placeholder",
    ResponseField: "name type default required deprecated pre post",
    Steps: "titleSize",
    Step: "title icon iconType stepNumber titleSize id noAnchor",
    Tabs: "defaultTabIndex sync borderBottom",
    Tab: "title id icon iconType",
    Tooltip: "tip headline cta href",
    "Tree.Folder": "name defaultOpen openable highlight",
    "Tree.File": "name highlight",
    Update: "label tags description rss",
    View: "title icon iconType",
    Visibility: "for",
};

/** Lists the documented attributes that the exporter's components do not read, by component. */
export function attributesWithoutEffect(): [component: string, attributes: string[]][] {
    return Object.entries(documented).flatMap(([name, attributes]): [string, string[]][] => {
        const unread = unreadOf(name, attributes.split(" "));
        return unread.length === 0 ? [] : [[name, unread]];
    });
}

/** Renders the component with all attributes, and collects its warnings about attributes that it does not support. */
function unreadOf(name: string, attributes: readonly string[]): string[] {
    const unread: string[] = [];
    const same = (text: string) => text;
    const context: ComponentContext = {
        search: new SearchText(),
        sides: new PageSides(false),
        ids: new HeadingIds(),
        macros: {},
        link: same,
        warn: (_, reason) => void unread.push(reason.split(" ", 1)[0] ?? ""),
        anchors: () => "",
        list: () => undefined,
        inlineMarkdown: same,
        renderValue: () => "",
        plainText: () => "",
        icon: () => "",
        codeBlock: same,
        isFor: () => true,
    };
    const values = Object.fromEntries(attributes.map((attribute) => [attribute, "a/b"]));
    const component = components.get(name);
    component?.html({ name, attributes: values, context, children: () => "", text: () => "", element: () => "" });
    return unread;
}
