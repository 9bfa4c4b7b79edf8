import { type WarningKind } from "../../exporter/src/problems/warning-log.js";

interface NotSupported {
    readonly what: string;
    readonly instead: string;
    readonly warnings: readonly WarningKind[];
}

/** Features that are in none of the exporter's lists; tests/docs/writing-pages.process.spec.ts tests each feature. */
export const features: readonly NotSupported[] = [
    {
        what: "unknown components",
        instead: "shows their content and text attributes",
        warnings: ["component"],
    },
    {
        what: "elements that are not HTML, such as components of VitePress",
        instead: "shows their content, or their attributes if they have no content",
        warnings: ["component"],
    },
    {
        what: "content that HTML hides (`<noscript>`, `hidden`)",
        instead: "leaves it hidden, but shows the content of `<template>`",
        warnings: ["component"],
    },
    {
        what: "unknown settings of `docs.json`",
        instead: "leaves them out",
        warnings: ["settings"],
    },
    {
        what: "event handlers (`onClick`)",
        instead: "leaves them out",
        warnings: ["attribute"],
    },
    {
        what: "scripts in pages (`<script>`), unless they hold data, such as JSON-LD",
        instead: "leaves them out",
        warnings: ["component"],
    },
    {
        what: "links to a script (`javascript:…`)",
        instead: "removes the scripts",
        warnings: ["link"],
    },
    {
        what: "JavaScript that needs the browser, the network or the clock (`document`, `fetch`, `new Date()`)",
        instead: "leaves the expression out, or shows only the content of the component that uses it",
        warnings: ["expression"],
    },
    {
        what: "state that changes (`useState`, `useEffect`)",
        instead: "shows the first state, followed by what a click shows. Effects do not run",
        warnings: ["component"],
    },
    {
        what: "packages from npm",
        instead: "leaves out what the page imports from them, except the content and texts of components",
        warnings: ["import"],
    },
    {
        what: "the date of a page's last commit",
        instead: "shows the date in the page's `lastUpdatedDate`, or none",
        warnings: [],
    },
    {
        what: "`boost` of pages and groups",
        instead: "ranks all pages alike",
        warnings: [],
    },
    {
        what: "`searchable: true` of a hidden tab or group",
        instead: "leaves its pages out of the search, unless `seo.indexing` is `all`",
        warnings: [],
    },
    {
        what: "`mode: assistant`",
        instead: "shows the page's text",
        warnings: [],
    },
    {
        what: "JavaScript files of the site",
        instead: "publishes the files, but no page runs them",
        warnings: ["settings"],
    },
    {
        what: "fonts that are not in the site, such as Google's",
        instead: "uses the reader's installed copy, or the file in `fonts.source`",
        warnings: ["settings"],
    },
    {
        what: "`windows` of `background.decoration`",
        instead: "leaves it out",
        warnings: ["settings"],
    },
    {
        what: "icons of Font Awesome Pro",
        instead: "shows the Lucide or Tabler icon with that name, or none",
        warnings: ["icon"],
    },
    {
        what: "OpenAPI and AsyncAPI documents on other servers",
        instead: "leaves out their operations and channels. Put a copy into the site",
        warnings: ["openapi"],
    },
    {
        what: "references from an API document to another server (`$ref: https://…`)",
        instead: "leaves out the referenced parts. Put a copy into the site",
        warnings: ["openapi"],
    },
    {
        what: "forms that connect to a channel of an AsyncAPI document",
        instead: "shows the channel with its messages and examples",
        warnings: [],
    },
    {
        what: 'an empty "Try it" (`api.examples.prefill: false`)',
        instead: "fills in the document's examples",
        warnings: [],
    },
    {
        what: "authentication of operations without a document (`authMethod`)",
        instead: "shows only method and address",
        warnings: [],
    },
    {
        what: "types of a `twoslash` fence",
        instead: "highlights the code, without types",
        warnings: [],
    },
    {
        what: "GraphQL schemas and SDK references (`graphql`, `sdk`)",
        instead: "makes no pages from them",
        warnings: ["navigation"],
    },
    {
        what: "private pages (`groups`, `public: false`, `x-mint.groups`)",
        instead: "[leaves the pages out](../guides/private-pages.md)",
        warnings: ["access"],
    },
    {
        what: "the reader's name (`{user.firstName}`)",
        instead: "leaves the expression out",
        warnings: ["expression"],
    },
    {
        what: "services in `integrations` that the export does not support (`adobe`, `clearbit`, `hightouch`)",
        instead: "sends them nothing",
        warnings: ["settings"],
    },
    {
        what: "the number of stars or members, for a link in `navbar` with `type: github` or `type: discord`",
        instead: "shows the link with an icon",
        warnings: [],
    },
    {
        what: "themes (`theme`)",
        instead: "uses its own theme with the site's colours",
        warnings: [],
    },
    {
        what: "colours of anchors (`color` in the navigation)",
        instead: "uses `colors.primary` and `colors.light`",
        warnings: [],
    },
    {
        what: "mindmaps, architecture diagrams and ZenUML diagrams",
        instead: "shows their source",
        warnings: ["diagram"],
    },
    {
        what: "buttons on diagrams (`actions`, `placement` of a `mermaid` fence)",
        instead: "shows the diagram, which scrolls if it is wide",
        warnings: [],
    },
    {
        what: "texts that a component does not show, such as `title` of `CodeGroup`",
        instead: "leaves them out",
        warnings: ["attribute"],
    },
    {
        what: "words of API pages and fields in languages other than English",
        instead: "shows them in English",
        warnings: [],
    },
    {
        what: "attributes that a component does not have, such as `placeholder` of `ParamField`",
        instead: "leaves them out",
        warnings: ["attribute"],
    },
];
