/**
 * A small page that repeats one construct, and is expensive to render. `size` is the approximate number of characters.
 */
export interface HostilePage {
    file: "index.md" | "index.mdx";
    source: (size: number) => string;
}

const repeat = (text: string, size: number): string => text.repeat(Math.ceil(size / text.length));

const numbered = (size: number, line: (index: number) => string): string => {
    let text = "";
    for (let index = 0; text.length < size; index += 1) {
        text += line(index);
    }
    return text;
};

const md = (source: HostilePage["source"]): HostilePage => ({ file: "index.md", source });
const mdx = (source: HostilePage["source"]): HostilePage => ({ file: "index.mdx", source });

export const hostilePages: Readonly<Record<string, HostilePage>> = {
    "open brackets": md((size) => repeat("[", size)),
    "open images": md((size) => repeat("![", size)),
    "links that are never closed": md((size) => repeat("[a](", size)),
    "links in links": md((size) => `${repeat("[", size / 2)}a${repeat("](b)", size / 2)}`),
    "emphasis that is never closed": md((size) => repeat("*a **a ", size)),
    "emphasis of both kinds": md((size) => repeat("_a *b ", size)),
    "code spans of growing fences": md((size) => numbered(size, (index) => `a${"`".repeat(1 + (index % 300))}`)),
    "open code spans": md((size) => repeat("`a``", size)),
    "open angle brackets": md((size) => repeat("<", size)),
    "tags that are never closed": md((size) => repeat("<a ", size)),
    "tags with open quotes": md((size) => repeat("<a b='", size)),
    "comments that are never closed": md((size) => repeat("<!--", size)),
    "comments in a block of HTML": md((size) => `<div>\n${repeat("<!-- ", size)}`),
    "tags in a block of HTML": md((size) => `<div>\n${repeat("<a ", size)}`),
    "quotes in a block of HTML": md((size) => `<div>\n${repeat(`<a b="`, size)}`),
    "instructions that are never closed": md((size) => repeat("a <?", size)),
    "declarations that are never closed": md((size) => repeat("a <!A ", size)),
    "character data that is never closed": md((size) => repeat("a <![CDATA[", size)),
    ampersands: md((size) => repeat("&", size)),
    backslashes: md((size) => `a ${repeat("\\", size)}`),
    "quotes in quotes": md((size) => `${repeat(">", Math.min(size, 2000))} a\n${repeat("> a\n", size)}`),
    "lists in lists": md((size) => numbered(size, (index) => `${" ".repeat((index % 100) * 2)}- a\n`)),
    "items of a list": md((size) => repeat("- a\n", size)),
    "wide tables": md((size) => `${repeat("|a", size / 3)}|\n${repeat("|-", size / 3)}|\n|a|\n|a|\n`),
    "long tables": md((size) => `|a|b|\n|-|-|\n${repeat("|a|b|\n", size)}`),
    "definitions and their uses": md(
        (size) =>
            `${numbered(size / 2, (index) => `[a${index}]: /b\n`)}\n${numbered(size / 2, (index) => `[a${index}] `)}`,
    ),
    "one definition, defined again": md((size) => repeat("[a]: /b\n", size)),
    "footnotes and their uses": md(
        (size) =>
            `${numbered(size / 2, (index) => `[^${index}] `)}\n\n${numbered(size / 2, (index) => `[^${index}]: b\n\n`)}`,
    ),
    "one footnote, used again": md((size) => `${repeat("[^1] ", size)}\n\n[^1]: b\n`),
    "equal headings": md((size) => repeat("## a\n\n", size)),
    "headings with numbers": md((size) => numbered(size, (index) => `## a\n\n## a-${index}\n\n`)),
    "underlined headings": md((size) => repeat("a\n=\n\n", size)),
    "open alerts": md((size) => repeat("> [!NOTE]\n", size)),
    "bare addresses": md((size) => repeat("http://a.b/", size)),
    "mail addresses": md((size) => repeat("a@b.", size)),
    "one long word": md((size) => repeat("a", size)),
    "one long word of separators": md((size) => repeat("a.", size)),
    "spaces at ends of lines": md((size) => `a${repeat(" ", size)}\nb`),
    "spaces in a heading": md((size) => `# a${repeat(" ", size)}b`),
    "marks of a heading": md((size) => `# a ${repeat("#", size)} b`),
    "attributes of a heading": md((size) => `# a {${repeat("#a ", size)}`),
    "open ids of a heading": md((size) => `# a ${repeat("{#a", size)}`),
    "open code": md((size) => `\`\`\`ts\n${repeat("/*", size)}`),
    "code in strings": md((size) => `\`\`\`js\n${repeat("`${", size)}\n\`\`\``),
    "code in brackets": md((size) => `\`\`\`ts\n${repeat("(", size)}\n\`\`\``),
    "code in angle brackets": md((size) => `\`\`\`ts\n${repeat("a<", size)}\n\`\`\``),
    "code of one word": md((size) => `\`\`\`ts\n${repeat("a", size)}\n\`\`\``),
    "code of spaces": md((size) => `\`\`\`yaml\n${repeat(" ", size)}a\n\`\`\``),
    "code of empty lines": md((size) => `\`\`\`haskell\n${repeat("\n", size)}a\n\`\`\``),
    "code of tags": md((size) => `\`\`\`html\n${repeat("<a ", size)}\n\`\`\``),
    "code of Markdown": md((size) => `\`\`\`md\n${repeat("*a _b ", size)}\n\`\`\``),
    "code of shell": md((size) => `\`\`\`bash\n${repeat("$(", size)}\n\`\`\``),
    "front matter of brackets": md(
        (size) => `---\ntitle: ${repeat("[", Math.min(size, 500))}\n---\n${repeat("a ", size)}`,
    ),
    "front matter of keys": md((size) => `---\n${numbered(size, (index) => `k${index}: a\n`)}---\n# a\n`),
    "front matter that is never closed": md((size) => `---\ntitle: a\n${repeat("--- a\n", size)}`),
    "comments in an expression": mdx((size) => `{${repeat("/*", size)}*/}`),
    "open comments in an expression": mdx((size) => `{"${repeat("/*", size)}"}`),
    "slashes in an expression": mdx((size) => `{"${repeat("/ *", size)}"}`),
    "a string in an expression": mdx((size) => `{"${repeat("\\n", size)}"}`),
    "an object in an attribute": mdx((size) => `<div style={{${numbered(size, (index) => `a${index}: 1, `)}}}>a</div>`),
    "components side by side": mdx((size) => repeat("<Note>a</Note>\n\n", size)),
    "attributes of a component": mdx((size) => `<Card ${numbered(size, (index) => `a${index}="b" `)}>a</Card>`),
    "cards in lines": mdx((size) => repeat("<Card title='a'>b</Card> ", size)),
    "braces to repair": mdx((size) => repeat("a { b\n\n", size)),
    "tags to repair": mdx((size) => repeat("<b>\n\n", size)),
    "void tags to repair": mdx((size) => repeat("<br> ", size)),
    "open fences in a page to repair": mdx((size) => `<br>\n\n${repeat("```a\n", size)}`),
    "open comments in a page to repair": mdx((size) => `<br>\n\n${repeat("<!-- ", size)}`),
    "code spans in a page to repair": mdx((size) => `<br>\n\n${repeat("`a``", size)}`),
    "links in angle brackets to repair": mdx((size) => repeat("<http://a.b/", size)),
    "images with candidates": mdx((size) => `<img srcSet="${repeat("a 1x, ", size)}" />`),
    "commas in candidates": mdx((size) => `<img srcSet="${repeat(",", size)}a" />`),
    "commas in a candidate": mdx((size) => `<img srcSet="a${repeat(",", size)}" />`),
};

/** Pages that crashed a service that rendered them in its own process. */
export const crashingPages: Readonly<Record<string, HostilePage>> = {
    "brackets in an expression": mdx(() => `{${"[".repeat(20_000)}${"]".repeat(20_000)}}`),
    "parentheses in an attribute": mdx(() => `<Card title={${"(".repeat(20_000)}1${")".repeat(20_000)}}>a</Card>`),
};
