import assert from "node:assert/strict";
import { articleOf, config } from "../../support/one-page.js";

const fence = (text: string) => `\`\`\`mermaid\n${text}\n\`\`\`\n`;

describe("A diagram", () => {
    const broken: Record<string, [text: string, reason: string]> = {
        "an unclosed bracket": ["flowchart LR\n  A[Open --> B", "Mermaid cannot read its line 2"],
        "an unclosed string": ['pie title Pets\n  "Cats 12', "Mermaid cannot read its line 2"],
        "an unknown command": ["gitGraph\n  commit\n  comit", "Mermaid cannot read its line 3"],
        "a mistake after front matter and comments": [
            "---\ntitle: T\n---\n%% first\n\nsequenceDiagram\n  %% second\n  A->>B: Hi\n  A->>\n  B->>A: Hi",
            "Mermaid cannot read its line 9",
        ],
        "front matter that is not YAML": [
            "---\ntitle: [T\n---\npie",
            "unexpected end of the stream within a flow collection (2:1)",
        ],
        "an unknown type": ["drawing\n  a", "its first line does not name a supported type of diagram"],
        "no text": ["", "its first line does not name a supported type of diagram"],
        "a value that it cannot have": [
            'pie\n  "Loss": -5',
            '"Loss" has invalid value: -5. Negative values are not allowed in pie charts. All slice values must be >= 0.',
        ],
        "too much text": [`flowchart LR\n  a[${"long ".repeat(10_001)}]`, "it has more than 50000 characters"],
    };
    for (const [what, [text, reason]] of Object.entries(broken)) {
        it(`with ${what} is reported with its line, and its source is shown as code`, async () => {
            const { html, warnings } = await articleOf(`Text\n\n${fence(text)}\nAfter\n`);
            assert.deepEqual(warnings, [`a.mdx:3: the diagram is shown as it is written: ${reason}`]);
            assert.doesNotMatch(html, /class="mermaid"/);
            assert.match(html, /<code class="language-mermaid">[^]*<\/code>[^]*After/);
        });
    }

    const valid = [
        'flowchart LR\n  a["`**bold** text`"] --> b\n  click a "https://example.com" "tip"',
        "%%{init: {'theme': 'forest'}}%%\nsequenceDiagram\n  A->>B: Hello",
        "---\ntitle: T\n---\nclassDiagram\n  A <|-- B",
        'pie title Pets\n  "Dogs" : 386',
        "gantt\n  title T\n  section S\n  a :2026-01-01, 3d",
        "stateDiagram-v2\n  [*] --> A",
        "erDiagram\n  A ||--o{ B : has",
        "journey\n  section Go\n    Make tea: 5: Me",
        'C4Context\n  Person(a, "A")',
        'treemap-beta\n"A"\n  "B": 10',
    ];
    it("of any type that Mermaid can read is drawn in the browser", async () => {
        const { html, warnings } = await articleOf(valid.map(fence).join("\n"));
        assert.deepEqual(warnings, []);
        assert.equal(html.match(/<pre class="mermaid"/g)?.length, valid.length);
    });

    it("has links that are rewritten for the page, and checked", async () => {
        const { html, warnings } = await articleOf(
            fence(
                'flowchart LR\n  A --> B\n  click A "/g/b" "Go"\n  click A href "./g/b.md" _blank\n' +
                    '  click B "/gone"\n  click B "https://example.com/"\n  click B call act() "Tip"',
            ),
            { "docs.json": config({ navigation: { pages: ["a", "g/b"] } }), "g/b.md": "# B" },
        );
        assert.deepEqual(html.match(/click [^\n<]*/g), [
            "click A &quot;g/b.html&quot; &quot;Go&quot;",
            "click A href &quot;g/b.html&quot; _blank",
            "click B &quot;gone&quot;",
            "click B &quot;https://example.com/&quot;",
            "click B call act() &quot;Tip&quot;",
        ]);
        assert.equal(warnings.length, 1);
        assert.match(warnings[0] ?? "", /\/gone/);
    });

    it("has its title as its name, or else the word for a diagram", async () => {
        const { html } = await articleOf(valid.map(fence).join("\n"));
        assert.deepEqual(
            [...html.matchAll(/<pre class="mermaid" role="group" aria-label="([^"]*)"/g)].map(([, name]) => name),
            ["Diagram", "Diagram", "T", "Pets", "T", ...Array<string>(5).fill("Diagram")],
        );
    });
});
