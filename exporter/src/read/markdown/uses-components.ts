/** Components that plain Markdown never uses as HTML or as a placeholder, unlike `<Details>` and `<File>`. */
const names = [
    "Accordion|AccordionGroup|Accordions|Alert|Attention|Badge|Callout|Card|CardGroup|Cards|Caution",
    "Check|CodeBlock|CodeBlocks|CodeGroup|Column|Columns|Danger|Expandable|FileTree|Frame|Hint|Important|Info|Latex",
    "Note|Panel|ParamField|Prompt|RequestExample|ResponseExample|ResponseField|Step|Steps|Success|Tab|Tabs|Tile|Tip",
    "Tooltip|Tree|Update|Visibility|Warning",
].join("|");

const otherNames = [
    "Color|Color.Item|Color.Row|Details|File|FileTree.File|FileTree.Folder|Files|Folder|Fragment|GitHub.Repo|Icon",
    "React.Fragment|Snippet|Tree.File|Tree.Folder|View",
].join("|");
const anyName = new RegExp(`^(?:${names}|${otherNames.replaceAll(".", "\\.")})$`);

/** Whether documentation platforms have a component of this name. */
export function isComponentName(name: string): boolean {
    return anyName.test(name);
}

/** A quick check, which comes first because most pages have no tags and the full check takes ten times as long. */
const anyTag = /<[A-Z]/;

/** Matches an opening tag at the beginning of a line, even in a quote or a list. */
const openingTag = new RegExp(`^[ \\t>]*(?:(?:[-*+]|\\d{1,9}[.)])[ \\t]+)?<(${names})(?:\\s[^<>]*)?>`, "gm");

/** Whether Markdown outside of code contains a complete tag of a component of documentation platforms. */
export function usesComponents(text: string): boolean {
    if (!anyTag.test(text)) {
        return false;
    }
    const unclosed = new Set<string>();
    for (const [tag, name = ""] of text.matchAll(openingTag)) {
        if (tag.endsWith("/>") || (!unclosed.has(name) && text.includes(`</${name}>`))) {
            return true;
        }
        unclosed.add(name);
    }
    return false;
}
