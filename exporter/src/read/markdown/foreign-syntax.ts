import { type PageText, type Report } from "./page-text/page-text.js";

interface ForeignSyntax {
    /** A plural noun for warnings. */
    readonly name: string;
    readonly pattern: RegExp;
    /** What to do instead. */
    readonly advice: string;
    /** In MDX, braces contain JavaScript. */
    readonly isNoMdx?: true;
}

const useValues = "replace them with their values";

/** Syntax of other builders in Markdown, which an export does not convert. */
export const foreignSyntaxes: readonly ForeignSyntax[] = [
    {
        name: "shortcodes of Hugo and Zola ({{< name >}}, {{% name %}})",
        pattern: /\{\{[<%]/,
        advice: "write what they insert as Markdown or as components",
    },
    {
        name: "operations and schemas of GitBook ({% openapi src=… %}, {% swagger %})",
        pattern: /\{% *(?:openapi|swagger)/,
        advice: "write the document and the operation into the page's front matter, as openapi: api.json GET /pets",
    },
    {
        name: 'included files of GitBook and Jinja ({% include "file.md" %})',
        pattern: /\{% *include +["'][^"']+\.md["']/,
        advice: "put the file's content into the page",
    },
    {
        name: "blocks of GitBook's integrations ({% @name/block %})",
        pattern: /\{% *@/,
        advice: "replace them with a link or a picture",
    },
    {
        name: 'variables of GitBook (<code class="expression">)',
        pattern: /<code class="expression">/,
        advice: useValues,
    },
    {
        name: "tags of Liquid, Jinja and Markdoc ({% name %})",
        pattern: /\{%-? *[\w/]/,
        advice: "remove them, or write what they insert",
    },
    {
        name: "includes of other files ({{#include a.rs}}, --8<--, <<< a.ts)",
        pattern: /^[ ;]*-{1,2}8<-{1,2}|\{\{ *#include |<!-- *@include:|^ *<<<[ \t]*[^\s<]/,
        advice: "put the files' content into the page",
    },
    {
        name: "blocks of mkdocstrings (::: package.module)",
        pattern: /^ *::: ?\w+(?:\.\w+)+ *$/,
        advice: "put what they generate into the page",
    },
    {
        name: 'admonitions and tabs of Python-Markdown (!!! note, === "Title")',
        pattern: /^ *(?:(?:!!!|\?\?\?\+?) +[a-z]+(?: +"[^"]*")?|===[!+]? +"[^"]+") *$/i,
        advice: "use <Note>, <Accordion> or <Tabs>",
    },
    {
        name: "containers and admonitions (:::name)",
        pattern: /^ *:{3,} ?[a-z]/i,
        advice: "use components, such as <Note> or <Tabs>",
    },
    {
        name: "attributes of kramdown and Python-Markdown ({: .name}, {.name})",
        pattern: /\{:? *[.#][\w-][^{}\n]*\} *$/,
        advice: "remove them",
        isNoMdx: true,
    },
    {
        name: "tables of contents ([[toc]], [TOC])",
        pattern: /^\[\[?_?toc_?\]?\] *$/i,
        advice: "remove them, because the page already lists its headings",
    },
    {
        name: "links of wikis ([[page]])",
        pattern: /(?<![\w\])`])\[\[(?!_?toc)[^[\]\s\d,"'][^[\],"']*\]\](?![(\w])/i,
        advice: "write links such as [text](page.md)",
    },
    {
        name: "addresses with spaces ([text](a b.md))",
        pattern: /\]\((?=[^()\n]* )(?:[^()\s<>"'`]| |\([^()\n]*\))+\.[a-z]\w{1,4}(?:#[^\s()#]*)?\)/i,
        advice: "write the address between < and >",
    },
    {
        name: "expressions of Vue and Jinja ({{ name }})",
        pattern: /\{\{ *[\w$]/,
        advice: useValues,
        isNoMdx: true,
    },
];

const mayHaveAny =
    /class="expression"|\{\{|\{%|\{:|\{ *[.#]|^ *:::|^ *(?:!!!|\?\?\?|===)|\[\[|\]\([^()\n]* |^\[toc|@include:|^ *<<<|8<-/im;

/** Matches the start of a shortcode or Liquid tag. */
const foreignTag = /(?<!\\)(?:\{%|\{\{[<%])/g;

/** Escapes shortcodes and Liquid tags in MDX, where a brace begins JavaScript. */
export function escapeForeignTags(page: PageText): PageText {
    return page.isMdx && /\{%|\{\{</.test(page.text)
        ? page.replace(foreignTag, ([found]) => found.replaceAll("{", "\\{"))
        : page;
}

/** Finds syntax of other builders outside of code, at most once per line. */
export function reportForeignSyntax(page: PageText, report: Report): PageText {
    if (!mayHaveAny.test(page.text)) {
        return page;
    }
    const syntaxes = foreignSyntaxes.filter(({ isNoMdx }) => !page.isMdx || isNoMdx !== true);
    let number = 0;
    for (const line of page.lines()) {
        number += 1;
        if (line.isCode) {
            continue;
        }
        const text = line.text.includes("`") ? page.withoutCode(line.start, line.start + line.text.length) : line.text;
        const found = syntaxes.find(({ pattern }) => pattern.test(text));
        const isHeadingId = /^#{1,6} .*\{ *#[\w-]/.test(text);
        if (found !== undefined && !isHeadingId) {
            const { name, advice } = found;
            report(number, `${name} are not supported and stay as text: ${advice}`);
        }
    }
    return page;
}
