import { type Files } from "../../exporter/support/site-fixture.js";

export interface Unsupported {
    /** The first column of the table. */
    row: string;
    files: Files;
    /** A pattern for the article of each exported page. "not-shown" marks content that no article may contain. */
    pages: Record<string, RegExp>;
}

const settings = (more: object) => JSON.stringify({ navigation: { pages: ["index"] }, ...more });

/** Returns a site with one operation and these API settings. */
const apiWith = (api: object, others: object = {}) => ({
    "api.json": JSON.stringify({
        openapi: "3.1.0",
        servers: [{ url: "https://api.example.com" }],
        paths: {
            "/a": {
                get: { summary: "A", parameters: [{ name: "q", in: "query", example: "given" }], responses: {} },
            },
        },
    }),
    "docs.json": settings({
        api: { openapi: "api.json", ...api },
        navigation: { pages: ["index", "api.json GET /a"] },
        ...others,
    }),
});

export const unsupported: readonly Unsupported[] = [
    {
        row: "unknown components",
        files: { "index.mdx": '<Thing kind="not-shown">**inside**</Thing>' },
        pages: { "index.html": /<strong>inside<\/strong>/ },
    },
    {
        row: "elements that are not HTML, such as components of VitePress",
        files: { "a.md": '<Field name="size" type="number" />\n\nText' },
        pages: { "a.html": /<strong>size<\/strong> number[\s\S]*<p>Text<\/p>/ },
    },
    {
        row: "content that HTML hides (`<noscript>`, `hidden`)",
        files: { "a.md": "<noscript>Without a script</noscript>\n\n<template>**inside**</template>\n" },
        pages: { "a.html": /<noscript>Without a script<\/noscript>[\s\S]*<strong>inside<\/strong>/ },
    },
    {
        row: "unknown settings of `docs.json`",
        files: { "index.mdx": "Text", "docs.json": settings({ colours: { primary: "not-shown" } }) },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "event handlers (`onClick`)",
        files: { "index.mdx": "<button onClick={() => alert('not-shown')}>go</button>" },
        pages: { "index.html": /<button>go<\/button>/ },
    },
    {
        row: "scripts in pages (`<script>`), unless they hold data, such as JSON-LD",
        files: { "index.mdx": "Text\n\n<script>not-shown()</script>" },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "links to a script (`javascript:…`)",
        files: { "index.mdx": "[Text](javascript:alert('not-shown'))" },
        pages: { "index.html": /<a href="#">Text<\/a>/ },
    },
    {
        row: "JavaScript that needs the browser, the network or the clock (`document`, `fetch`, `new Date()`)",
        files: {
            "index.mdx":
                "export const Title = () => <b>not-shown {document.title}</b>\n\n" +
                "a<Title />b{new Date().getFullYear()}c{await fetch('not-shown')}d",
        },
        pages: { "index.html": /<p>abcd<\/p>/ },
    },
    {
        row: "state that changes (`useState`, `useEffect`)",
        files: {
            "index.mdx":
                "export const Count = () => { const [n, set] = useState(3); " +
                "useEffect(() => { set('not-shown') }, []); return <b>{n}</b> }\n\n<Count>not-shown</Count>",
        },
        pages: { "index.html": /<b>3<\/b>/ },
    },
    {
        row: "packages from npm",
        files: { "index.mdx": 'import { Chart } from "charts"\n\na<Chart title="T" data={["not-shown"]} />b' },
        pages: { "index.html": /<p>a <strong>T<\/strong> b<\/p>/ },
    },
    {
        row: "the date of a page's last commit",
        files: { "index.mdx": "Text", "docs.json": settings({ metadata: { timestamp: true } }) },
        pages: { "index.html": /<p>Text<\/p>$/ },
    },
    {
        row: "`boost` of pages and groups",
        files: { "index.mdx": "---\nboost: 5\n---\nText" },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "`searchable: true` of a hidden tab or group",
        files: {
            "b.md": "Text",
            "docs.json": settings({
                navigation: {
                    tabs: [
                        { tab: "A", pages: ["index"] },
                        { tab: "B", hidden: true, searchable: true, pages: ["b"] },
                    ],
                },
            }),
        },
        pages: { "b.html": /<p>Text<\/p>/ },
    },
    {
        row: "`mode: assistant`",
        files: { "index.mdx": "---\nmode: assistant\n---\nText" },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "JavaScript files of the site",
        files: { "index.mdx": "Text", "not-shown.js": "alert(1)", "docs.json": settings({}) },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "fonts that are not in the site, such as Google's",
        files: { "index.mdx": "Text", "docs.json": settings({ fonts: { family: "Inter" } }) },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "`windows` of `background.decoration`",
        files: { "index.mdx": "Text", "docs.json": settings({ background: { decoration: "windows" } }) },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "icons of Font Awesome Pro",
        files: { "index.mdx": 'a<Icon icon="alicorn" />b' },
        pages: { "index.html": /<p>ab<\/p>/ },
    },
    {
        row: "OpenAPI and AsyncAPI documents on other servers",
        files: {
            "pets.md": "---\nopenapi: https://api.example.com/not-shown.json GET /pets\n---\nText",
            "chat.md": "---\nasyncapi: https://api.example.com/not-shown.json chat\n---\nText",
        },
        pages: { "pets.html": /<p>Text<\/p>/, "chat.html": /<p>Text<\/p>/ },
    },
    {
        row: "references from an API document to another server (`$ref: https://…`)",
        files: {
            "chat.md": "---\nasyncapi: chat.json chat\n---\nText",
            "chat.json": JSON.stringify({
                asyncapi: "3.0.0",
                channels: { chat: { messages: { a: { $ref: "https://example.com/not-shown.json" } } } },
            }),
        },
        pages: { "chat.html": /<p>Text<\/p>/ },
    },
    {
        row: "forms that connect to a channel of an AsyncAPI document",
        files: {
            "chat.md": "---\nasyncapi: chat.json chat\n---\nText",
            "chat.json": JSON.stringify({ asyncapi: "3.0.0", channels: { chat: { address: "chats/new" } } }),
        },
        pages: { "chat.html": /<code>chats\/new<\/code>[^]*<p>Text<\/p>/ },
    },
    {
        row: 'an empty "Try it" (`api.examples.prefill: false`)',
        files: apiWith({ examples: { prefill: false } }),
        pages: { "api-reference/a.html": /data-request="[^"]*quot;value&quot;:&quot;given&quot;/ },
    },
    {
        row: "authentication of operations without a document (`authMethod`)",
        files: { "index.mdx": "---\napi: GET https://api.example.com/a\nauthMethod: not-shown\n---\nText" },
        pages: { "index.html": /https:\/\/api\.example\.com\/a[\s\S]*<p>Text<\/p>/ },
    },
    {
        row: "types of a `twoslash` fence",
        files: { "index.mdx": "```ts twoslash\nconst size = 1;\n```" },
        pages: { "index.html": /hljs-keyword">const<\/span> size = / },
    },
    {
        row: "GraphQL schemas and SDK references (`graphql`, `sdk`)",
        files: {
            "docs.json": settings({
                navigation: {
                    groups: [
                        { group: "G", pages: ["index"] },
                        { group: "Q", graphql: "not-shown.graphql" },
                    ],
                },
            }),
        },
        pages: { "index.html": /Home/ },
    },
    {
        row: "private pages (`groups`, `public: false`, `x-mint.groups`)",
        files: { "index.mdx": "Text", "not-shown.md": "---\ngroups: [admin]\n---\nnot-shown" },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "the reader's name (`{user.firstName}`)",
        files: { "index.mdx": "Hello {user.firstName}!" },
        pages: { "index.html": /<p>Hello !<\/p>/ },
    },
    {
        row: "services in `integrations` that the export does not support (`adobe`, `clearbit`, `hightouch`)",
        files: {
            "index.mdx": "Text",
            "docs.json": settings({ integrations: { clearbit: { publicApiKey: "not-shown" } } }),
        },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "the number of stars or members, for a link in `navbar` with `type: github` or `type: discord`",
        files: {
            "index.mdx": "Text",
            "docs.json": settings({ navbar: { links: [{ type: "github", href: "https://github.com/a/b" }] } }),
        },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "themes (`theme`)",
        files: { "index.mdx": "Text", "docs.json": settings({ theme: "not-shown" }) },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "colours of anchors (`color` in the navigation)",
        files: {
            "index.mdx": "Text",
            "docs.json": settings({
                colors: { primary: "#5b4fc4" },
                navigation: {
                    anchors: [{ anchor: "A", icon: "book", color: { light: "not-shown" }, pages: ["index"] }],
                },
            }),
        },
        pages: { "index.html": /<p>Text<\/p>/ },
    },
    {
        row: "mindmaps, architecture diagrams and ZenUML diagrams",
        files: { "index.mdx": "```mermaid\nmindmap\n  root\n```" },
        pages: { "index.html": /<code class="language-mermaid">mindmap/ },
    },
    {
        row: "buttons on diagrams (`actions`, `placement` of a `mermaid` fence)",
        files: { "index.mdx": '```mermaid placement="not-shown" actions={true}\nflowchart LR\n```' },
        pages: { "index.html": /flowchart LR/ },
    },
    {
        row: "texts that a component does not show, such as `title` of `CodeGroup`",
        files: { "index.mdx": '<CodeGroup title="not-shown">\n```js\ncode\n```\n</CodeGroup>' },
        pages: { "index.html": /code-tabs[\s\S]*code/ },
    },
    {
        row: "words of API pages and fields in languages other than English",
        files: { "index.mdx": '---\nlang: fr\n---\n\n<ParamField path="id" required>Text</ParamField>' },
        pages: { "index.html": /<span>required<\/span>/ },
    },
    {
        row: "attributes that a component does not have, such as `placeholder` of `ParamField`",
        files: { "index.mdx": '<ParamField path="id" placeholder="not-shown">Text</ParamField>' },
        pages: { "index.html": /<code>id<\/code>[^]*Text/ },
    },
];
