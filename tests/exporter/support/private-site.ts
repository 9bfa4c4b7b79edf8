const docs = (settings: object) => JSON.stringify({ name: "Docs", ...settings });

/** All private content in this site contains the word "zebra": titles, text, paths, groups, pictures. */
export const privateSite = {
    "docs.json": docs({
        navigation: { $ref: "./config/navigation.json" },
        navbar: { links: [{ label: "Zebra bar", href: "/guides/zebra-one" }] },
        footer: { links: [{ header: "More", items: [{ label: "Zebra foot", href: "/zebra-old" }] }] },
        redirects: [
            { source: "/zebra-old", destination: "/guides/zebra-one" },
            { source: "/zebra-all/*", destination: "/zebra-two" },
            { source: "/old", destination: "/guides/open" },
        ],
        seo: { indexing: "all" },
    }),
    "config/navigation.json": JSON.stringify({
        tabs: [
            {
                tab: "Guides",
                groups: [
                    { group: "Start", pages: ["index", "guides/open", "guides/zebra-one"] },
                    { group: "Zebra links", pages: [{ group: "Zebra only", pages: ["zebra-two"] }] },
                    {
                        group: "Cards",
                        root: "cards",
                        directory: "card",
                        pages: ["guides/open", "guides/zebra-one"],
                    },
                ],
            },
            {
                tab: "Partly",
                public: false,
                pages: ["zebra-three", { group: "Within", public: true, pages: ["within"] }],
            },
            { tab: "Zebra link", href: "/guides/zebra-one" },
            { tab: "API", openapi: "api.json" },
        ],
        global: { anchors: [{ anchor: "Zebra anchor", href: "/zebra-two" }] },
    }),
    "index.mdx": "---\ntitle: Home\n---\n\n![Shared](/images/shared.png)\n",
    "cards.md": "# Cards\n",
    "within.md": "# Within\n",
    "guides/open.md": "---\ntitle: Open\nrelated: [/guides/open]\n---\n\nText\n",
    "guides/zebra-one.mdx": [
        "---\ntitle: Zebra one\ndescription: Zebra described\ngroups: [zebras]\nog:image: /images/zebra-preview.png\n---",
        'import { Badge } from "/snippets/zebra-badge.jsx";',
        "![Zebra](/images/zebra.png) ![Shared](/images/shared.png) [Zebra file](/files/zebra.pdf)",
        '<div className="before:content-[zebra]"><Badge /></div>',
        '<Update label="Zebra 1" description="zebra">Zebra update</Update>',
    ].join("\n\n"),
    "zebra-two.md": "---\ngroups: zebras\npublic: true\n---\n# Zebra two\n",
    "zebra-three.md": "# Zebra three\n",
    "unlisted/zebra.md": "---\ntitle: Zebra unlisted\npublic: false\n---\nZebra text\n",
    "snippets/zebra-badge.jsx": 'export const Badge = () => <img src="/images/zebra-badge.png" alt="zebra" />;\n',
    "images/shared.png": "shared",
    "images/zebra.png": "zebra",
    "images/zebra-preview.png": "zebra",
    "images/zebra-badge.png": "zebra",
    "images/styled.png": "styled",
    "site.css": "main { background: url(/images/styled.png) }\n",
    "files/zebra.pdf": "zebra",
    "api.json": JSON.stringify({
        openapi: "3.1.0",
        info: { title: "API", version: "1" },
        paths: {
            "/things": {
                get: {
                    summary: "List things",
                    parameters: [
                        {
                            name: "zebra-filter",
                            in: "query",
                            schema: { type: "string" },
                            "x-mint": { groups: ["zebras"] },
                        },
                        { name: "size", in: "query", schema: { type: "string" } },
                    ],
                    responses: {
                        "200": {
                            description: "OK",
                            links: { next: { operationId: "zebraOperation" } },
                            content: {
                                "application/json": {
                                    schema: { $ref: "#/components/schemas/Thing" },
                                    example: {
                                        id: 7,
                                        zebra: "zebra",
                                        plan: "zebra plan",
                                        deep: [{ zebra: 1, kept: 2 }],
                                    },
                                },
                            },
                        },
                    },
                },
                post: {
                    operationId: "zebraOperation",
                    summary: "Zebra operation",
                    "x-mint": { groups: ["zebras"] },
                    responses: {},
                },
            },
        },
        components: {
            schemas: {
                Thing: {
                    type: "object",
                    required: ["id", "zebra"],
                    dependentRequired: { id: ["plan", "zebra"], zebra: ["id"] },
                    dependencies: { plan: ["id", "zebra"] },
                    properties: {
                        id: { type: "integer", description: "Shown number" },
                        zebra: { type: "string", description: "Zebra field", "x-mint": { groups: ["zebras"] } },
                        inner: {
                            type: "object",
                            properties: { example: { type: "string" } },
                            example: { example: "shown", zebra: "zebra" },
                        },
                        secret: { $ref: "#/components/schemas/Zebra" },
                        plan: {
                            type: "string",
                            enum: ["free", "zebra plan"],
                            default: "zebra plan",
                            "x-mint-enum": { "zebra plan": ["zebras"] },
                        },
                        either: {
                            oneOf: [
                                { title: "Zebra variant", type: "string", "x-mint": { groups: ["zebras"] } },
                                { title: "Plain variant", type: "string", description: "Shown variant" },
                            ],
                        },
                    },
                },
                Zebra: { type: "object", description: "Zebra model", "x-mint": { groups: ["zebras"] } },
            },
        },
    }),
};
