import fc from "fast-check";

/** Attributes in every kind of quotes. */
const attributes = fc.constantFrom(
    ...["", "", "", ' class="c"', " title='it\"s'", ' title="a > b"', " title=x", ' id="i"', " TITLE = up"],
    ...[' align="center"', ' title="a &amp; b"', ' title="it\'s"', " open"],
);
const linesOfAttributes = "\n  title='two\n  lines'";
const leaves = [
    ...["@", "@", "*@*", "**@**", "`@`", "`<b>`", "&lt;@", "[@](u)", "<!-- @ -->", "<br>", "<br />"],
    ...["<img src=x.png alt='@'>", '<img src="x.png" alt="@" />', "<wbr>", "<b>@<i>@</b>@</i>", "a < @", "@ <3 @"],
    ...["<a href='x'>@<b>@</a>@</b>", "<input type=checkbox checked>", "<b>@</b >", "<kbd >@</kbd>", "\\<b>@"],
];
/** Tags without their partner. */
const loneTags = [
    "</b>",
    "<i>@",
    "<li>@",
    "<span>",
    "<b>@ <span>@</b>",
    '<b class="c">@',
    "</div>",
    "<td>@",
    "<title>@",
];

/** An empty line follows a table, because satteri reads a tag or table directly below it as a row. */
const fixedBlocks = [
    ...["<pre>\n@\n\n  @</pre>", "<pre>@ <code>@</code> @</pre>", "<pre><code>@</code></pre>", "<hr>", "<hr/>"],
    ...['<pre><code class="language-js">@\n\n  @ &lt;b>\n</code></pre>', "<pre class='c'><code>@</code>\n</pre>"],
    ...["<pre><code>@ <a href='u'>@</a>\n<b>@</b></code></pre>", "<!-- @ -->", "<ul>\n<li>@\n<li>@\n</ul>"],
    ...["<dl><dt>@<dd>@</dl>", "<table><tr><td>@<td>@</table>", "<table>@<tr><td>@</td></tr></table>", "<?@ ?>"],
    ...["<select><option>@<option>@</select>", "<!DOCTYPE html>", "| a | b |\n|---|:-:|\n| <b>@</b> | <br>@ |\n"],
    ...["```html\n<b>@\n\n</b>\n```", "    <div>@</div>", "<h2>@</h2>", "## @ <b>@</b>", "<img src='x.png'\n alt='@'>"],
    ...["<svg viewBox='0 0 1 1'><title>@</title><path d='M0 0'/></svg>", "<iframe src='x.html'></iframe>"],
    ...["<video src='x.mp4' controls></video>", "@<hr>@", "<textarea>@</textarea>", "<style>b { }</style>"],
    ...["<p align='center'>\n  <img src='x.png' alt='@'>\n</p>", "@\n---\n<b>@</b>", "<button>@</button>\n@"],
];
const loneBlocks = [
    "<p>@",
    "</div>",
    "<div>",
    "<b>@\n\n@</b>",
    "<div/>",
    "<details>\n\n@",
    "<details><summary>@</summary>",
];
/** Blocks that CommonMark ends at their closing tag, unless they are in other HTML. */
const topBlocks = [
    "<!-- @\n\n@ -->",
    "<textarea>@\n\n@</textarea>",
    "<style>b { }\n\ni {}</style>",
    "<script>@\n\n@</script>",
];

const gap = fc.constantFrom("\n", "\n\n", "\n\n");
const indent = fc.constantFrom("", "", "", "  ", "    ");
const indented = (text: string, by: string) => text.replace(/^(?=.)/gm, by);

/** Markdown pages with raw HTML, as people, editors and converters write it. Each word occurs once. */
export function rawHtmlPages({ withLoneTags }: { withLoneTags: boolean }): fc.Arbitrary<string> {
    const { inline } = fc.letrec<{ inline: string }>((tie) => ({
        inline: fc.oneof(
            { depthSize: "small", withCrossShrink: true },
            { weight: 3, arbitrary: fc.constantFrom(...leaves, ...(withLoneTags ? loneTags : [])) },
            fc
                .tuple(
                    fc.constantFrom("b", "i", "kbd", "sub", "span", "em", "a", "code", "mark", "B", "small"),
                    attributes,
                    fc.array(tie("inline"), { minLength: 1, maxLength: 3 }),
                )
                .map(([name, own, parts]) => `<${name}${own}>${parts.join(" ")}</${name}>`),
        ),
    }));
    const line = fc
        .tuple(fc.constantFrom("@ ", "@ ", ""), fc.array(inline, { minLength: 1, maxLength: 3 }))
        .map(([start, parts]) => start + parts.join(" "));
    const row = fc
        .array(line, { minLength: 1, maxLength: 2 })
        .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`);
    const { block } = fc.letrec<{ block: string }>((tie) => ({
        block: fc.oneof(
            { depthSize: "small", withCrossShrink: true },
            fc.constantFrom(...fixedBlocks, ...(withLoneTags ? loneBlocks : [])),
            line,
            fc
                .tuple(
                    fc.constantFrom("div", "details", "section", "p", "center", "blockquote", "ul", "DIV", "article"),
                    fc.oneof({ weight: 9, arbitrary: attributes }, fc.constant(linesOfAttributes)),
                    fc.array(tie("block"), { minLength: 1, maxLength: 3 }),
                    gap,
                    indent,
                    fc.boolean(),
                )
                .map(([name, own, blocks, between, by, isClosed]) => {
                    const start = `<${name}${own}>${name === "details" ? "<summary>@</summary>" : ""}`;
                    const end = isClosed || !withLoneTags ? `${between}</${name}>` : "";
                    return `${start}${between}${indented(blocks.join(between), by)}${end}`;
                }),
            fc
                .tuple(fc.constantFrom("", " border=1"), fc.array(row, { minLength: 1, maxLength: 3 }), gap, indent)
                .map(
                    ([own, rows, between, by]) =>
                        `<table${own}>${between}${indented(rows.join(between), by)}${between}</table>`,
                ),
            fc
                .tuple(fc.constantFrom("- ", "1. ", "> "), fc.array(tie("block"), { minLength: 1, maxLength: 2 }), gap)
                .map(([marker, blocks, between]) => {
                    const text = blocks.join(between);
                    const by = " ".repeat(marker.length);
                    return marker === "> " ? text.replace(/^/gm, "> ") : marker + indented(text, by).slice(by.length);
                }),
        ),
    }));
    const top = fc.oneof({ weight: 9, arbitrary: block }, { weight: 1, arbitrary: fc.constantFrom(...topBlocks) });
    return fc.array(top, { minLength: 1, maxLength: 3 }).map((blocks) => {
        let count = 0;
        return `${blocks.join("\n\n")}\n\n@\n`.replaceAll("@", () => `w${(count += 1)}`);
    });
}
