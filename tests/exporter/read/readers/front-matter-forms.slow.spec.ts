import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exportSite } from "../../../../exporter/src/write/export-site.js";
import { listFiles, withFolder } from "../../support/site-fixture.js";

const body = "\n\n# Title\n\nText about salaries.\n";
const page = (block: string) => block + body;
const utf16 = (text: string, isBigEndian: boolean, hasMark = true) => {
    const bytes = Buffer.from(`${hasMark ? "\uFEFF" : ""}${text}`, "utf16le");
    return isBigEndian ? bytes.swap16() : bytes;
};

/** Front matter keys that make a page private, in YAML. */
const limits = {
    groups: "groups: [a]",
    public: "public: false",
    "groups in a list": "groups:\n  - a",
    "quoted groups": '"groups": ["a"]',
};

/** Front matter keys that mark a draft. */
const drafts = { draft: "draft: true", published: "published: false" };

/** Mistakes at the edges of a block, for each form of the keys. */
const edges: Record<string, (yaml: string) => string | Buffer> = {
    "as it should be": (yaml) => page(`---\ntitle: A\n${yaml}\n---`),
    "a blank line before": (yaml) => page(`\n---\ntitle: A\n${yaml}\n---`),
    "many blank lines before": (yaml) => page(`${"\n".repeat(300)}---\ntitle: A\n${yaml}\n---`),
    "a space before": (yaml) => page(` ---\ntitle: A\n${yaml}\n---`),
    "a tab before": (yaml) => page(`\t---\ntitle: A\n${yaml}\n---`),
    "a no-break space before": (yaml) => page(`\u00a0---\ntitle: A\n${yaml}\n---`),
    "an invisible character before": (yaml) => page(`\u200b---\ntitle: A\n${yaml}\n---`),
    "two byte order marks before": (yaml) => page(`\uFEFF\uFEFF---\ntitle: A\n${yaml}\n---`),
    "a byte order mark in the second line": (yaml) => page(`\n\uFEFF---\ntitle: A\n${yaml}\n---`),
    "an HTML comment before": (yaml) => page(`<!-- note -->\n---\ntitle: A\n${yaml}\n---`),
    "an HTML comment of several lines before": (yaml) => page(`<!--\nnote\n\n-->\n---\ntitle: A\n${yaml}\n---`),
    "an HTML comment in the same line": (yaml) => page(`<!-- note --> ---\ntitle: A\n${yaml}\n---`),
    "an MDX comment before": (yaml) => page(`{/* note */}\n---\ntitle: A\n${yaml}\n---`),
    "a YAML comment before": (yaml) => page(`# note\n---\ntitle: A\n${yaml}\n---`),
    "an import before": (yaml) => page(`import A from "./a.mdx";\n\n---\ntitle: A\n${yaml}\n---`),
    "a comment after the marks": (yaml) => page(`--- # comment\ntitle: A\n${yaml}\n---`),
    "a word after the marks": (yaml) => page(`---yaml\ntitle: A\n${yaml}\n---`),
    "a value after the marks": (yaml) => page(`--- title: A\n${yaml}\n---`),
    "more marks": (yaml) => page(`-----\ntitle: A\n${yaml}\n-----`),
    "fewer marks": (yaml) => page(`--\ntitle: A\n${yaml}\n--`),
    "spaces between marks": (yaml) => page(`- - -\ntitle: A\n${yaml}\n- - -`),
    "a dash of an editor": (yaml) => page(`—\ntitle: A\n${yaml}\n—`),
    "a dash and a mark of an editor": (yaml) => page(`—-\ntitle: A\n${yaml}\n—-`),
    "other marks": (yaml) => page(`===\ntitle: A\n${yaml}\n===`),
    "CR line ends": (yaml) => page(`---\ntitle: A\n${yaml}\n---`).replaceAll("\n", "\r"),
    "CR CR LF line ends": (yaml) => page(`---\ntitle: A\n${yaml}\n---`).replaceAll("\n", "\r\r\n"),
    "line separators as line ends": (yaml) => page(`---\ntitle: A\n${yaml}\n---`).replaceAll("\n", "\u2028"),
    "UTF-16, little endian": (yaml) => utf16(page(`---\ntitle: A\n${yaml}\n---`), false),
    "UTF-16, big endian": (yaml) => utf16(page(`---\ntitle: A\n${yaml}\n---`), true),
    "UTF-16 without a mark": (yaml) => utf16(page(`---\ntitle: A\n${yaml}\n---`), false, false),
    "UTF-16, big endian, without a mark": (yaml) => utf16(page(`---\ntitle: A\n${yaml}\n---`), true, false),
    "an unclosed block": (yaml) => page(`---\ntitle: A\n${yaml}`),
    "an unclosed block with its limits after a blank line": (yaml) => page(`---\ntitle: A\n\n${yaml}`),
    "a block that ends with dots": (yaml) => page(`---\ntitle: A\n${yaml}\n...`),
    "a block that ends with two marks": (yaml) => page(`---\ntitle: A\n${yaml}\n--`),
    "a block that ends with four marks": (yaml) => page(`---\ntitle: A\n${yaml}\n----`),
    "a block that ends within a line": (yaml) => page(`---\ntitle: A\n${yaml} ---`),
    "an end with a space before": (yaml) => page(`---\ntitle: A\n${yaml}\n ---`),
    "no marks in front": (yaml) => page(`title: A\n${yaml}\n---`),
    "no marks in front, limits first": (yaml) => page(`${yaml}\ntitle: A\n---`),
    "no marks at all": (yaml) => page(`title: A\n${yaml}`),
    "an empty block before": (yaml) => page(`---\n---\ntitle: A\n${yaml}\n---`),
    "a blank block before": (yaml) => page(`---\n\n---\ntitle: A\n${yaml}\n---`),
    "a block within": (yaml) => page(`---\n---\n---\n${yaml}\n---`),
    "no valid YAML": (yaml) => page(`---\ntitle: A: B\n${yaml}\n---`),
    "an open quote": (yaml) => page(`---\ntitle: "A\n${yaml}\n---`),
    "a tab for indentation": (yaml) => page(`---\na:\n\tb: 1\n${yaml}\n---`),
    "an unknown alias": (yaml) => page(`---\na: *b\n${yaml}\n---`),
    "a key twice": (yaml) => page(`---\n${yaml}\n${yaml}\n---`),
    "dots within": (yaml) => page(`---\ntitle: A\n...\n${yaml}\n---`),
    "a merged key": (yaml) => page(`---\na: &a\n  ${yaml.replaceAll("\n", "\n  ")}\n<<: *a\n---`),
    "more than a block may have": (yaml) => page(`---\na: ${"x".repeat(40_000)}\n${yaml}\n---`),
    "a text before the keys": (yaml) => page(`---\nA page\n${yaml}\n---`),
};

/** Front matter that is read as it is meant, so that a draft in it needs no warning. */
const readable: ReadonlySet<string> = new Set([
    "as it should be",
    "CR line ends",
    "CR CR LF line ends",
    "UTF-16, little endian",
    "UTF-16, big endian",
    "UTF-16 without a mark",
    "UTF-16, big endian, without a mark",
    "a merged key",
]);

/** Other forms. */
const forms: Record<string, string> = {
    TOML: page('+++\ntitle = "A"\ngroups = ["a"]\n+++'),
    "TOML with public": page('+++\ntitle = "A"\npublic = false\n+++'),
    "TOML between marks of YAML": page('---\ntitle = "A"\ngroups = ["a"]\n---'),
    JSON: page('{\n  "title": "A",\n  "groups": ["a"]\n}'),
    "JSON in a line": page('{"title": "A", "groups": ["a"]}'),
    "JSON between marks": page('---\n{"title": "A", "groups": ["a"]}\n---'),
    "JSON between other marks": page(';;;\n{"title": "A", "groups": ["a"]}\n;;;'),
    "a flow mapping": page("---\n{title: A, groups: [a]}\n---"),
    "a flow mapping that does not parse": page("---\n{title: A, groups: [a]\n---"),
    "a flow mapping that does not parse, with public": page("---\n{title: A: B, public: false}\n---"),
    "a flow mapping of several lines": page("---\n{\n  title: A: B,\n  groups: [a]\n}\n---"),
    "a flow mapping in the line of the marks": page("--- {title: A, groups: [a]}\n---"),
    "no space after the colon": page("---\ntitle: A\ngroups:[a]\n---"),
    "a no-break space after the colon": page("---\ntitle: A\ngroups:\u00a0[a]\n---"),
    "a wide colon": page("---\ntitle: A\ngroups：[a]\n---"),
    "no colon": page("---\ntitle: A\ngroups [a]\n---"),
    "an equals sign": page("---\ntitle: A\ngroups = [a]\n---"),
    "a list that is open": page("---\ntitle: A\ngroups: [a\n---"),
    "a key in capitals": page("---\ntitle: A\nGroups: [a]\n---"),
    "a key without its last letter": page("---\ntitle: A\ngroup: [a]\n---"),
    "a key with swapped letters": page("---\ntitle: A\ngruops: [a]\n---"),
    "a misspelled key in an invalid block": page("---\ntitle: A: B\ngroup: [a]\n---"),
    "public without a letter": page("---\ntitle: A\npublc: false\n---"),
    "a misspelled public with a word": page("---\ntitle: A\npubilc: no\n---"),
    "a key with a space at its end": page('---\ntitle: A\n"groups ": [a]\n---'),
    "public in capitals": page("---\ntitle: A\nPublic: no\n---"),
    "public with a word": page("---\ntitle: A\npublic: no\n---"),
    "public without a value that is read": page("---\ntitle: A\npublic: nobody\n---"),
    "an empty list": page("---\ntitle: A\ngroups: []\n---"),
    rules: page("---\ntitle: A\ngroups: { includes: [a] }\n---"),
    "limits in a list": page("---\n- title: A\n- groups: [a]\n---"),
    "limits indented below a text": page("---\ntitle: A\n  groups: [a]\n---"),
};

/** Pages without reader settings, and pages for everybody. */
const open: Record<string, string> = {
    "no front matter": "# Groups\n\ngroups: the members of a team\n",
    "a heading and a line": "# Groups\n\n---\n\nThe groups: many.\n",
    "a title with a colon": page("---\ntitle: Manage groups: a guide\n---"),
    "a misspelled public: true": page("---\ntitle: A\npublc: true\n---"),
    "public: true": page("---\ntitle: A\npublic: true\n---"),
    "a block with public: true that is not valid": page("---\ntitle: A: B\npublic: true\n---"),
    "an example of front matter": "How a page names its readers:\n\n```yaml\n---\ngroups: [a]\n---\n```\n",
    "an example that begins the page": "```yaml\n---\ngroups: [a]\n---\n```\n",
    "a key whose name has the word": page("---\ntitle: A: B\nusergroups: [a]\npublic-key: x\n---"),
    "a text that has the words": page("---\ntitle: A: B\ndescription: public groups\n---"),
    "a block of other keys with a slip": page("\n---\ntitle: A\ndescription: B\n---"),
    "a line and a list": "---\n\n- public APIs\n- groups of people\n",
};

interface Exported {
    readonly published: ReadonlySet<string>;
    readonly warnings: readonly string[];
}

/** Exports all forms as pages of one site. @returns the pages by the forms' names */
async function exportForms(all: Readonly<Record<string, string | Buffer>>, ending: string): Promise<Exported> {
    return withFolder(async (folder) => {
        const [sourceDir, outDir] = [join(folder, "site"), join(folder, "out")];
        await mkdir(sourceDir);
        await writeFile(join(sourceDir, "index.md"), "# Home");
        const names = Object.keys(all);
        for (const [number, name] of names.entries()) {
            await writeFile(join(sourceDir, `form-${number}${ending}`), all[name] ?? "");
        }
        const warnings: string[] = [];
        const nameOf = (file: string) => names[Number(/^form-(\d+)\./.exec(file)?.[1])] ?? "";
        const onWarning = ({ file, line, reason }: { file: string; line: number | undefined; reason: string }) =>
            void warnings.push(`${nameOf(file)}:${line}: ${reason}`);
        await exportSite({ sourceDir, outDir, domain: "docs.example.com", onWarning });
        const files = await listFiles(outDir);
        return { published: new Set(files.filter((file) => file.endsWith(".html")).map(nameOf)), warnings };
    });
}

describe("the check of access settings in front matter", () => {
    for (const ending of [".md", ".mdx"]) {
        for (const [key, yaml] of Object.entries(limits)) {
            it(`restricts the page and warns: ${key} in a ${ending} file, with mistakes at the edges of the block`, async () => {
                const all = Object.fromEntries(Object.entries(edges).map(([name, write]) => [name, write(yaml)]));
                expectClosed(await exportForms(all, ending), Object.keys(all));
            });
        }

        for (const [key, yaml] of Object.entries(drafts)) {
            it(`leaves a draft out and warns: ${key} in a ${ending} file, with mistakes at the edges of the block`, async () => {
                // A draft after an empty block is left out without a warning.
                const silent = new Set([...readable, "an empty block before"]);
                const mistakes = Object.entries(edges).filter(([name]) => !silent.has(name));
                const all = Object.fromEntries(mistakes.map(([name, write]) => [name, write(yaml)]));
                expectClosed(await exportForms(all, ending), Object.keys(all));
            });
        }

        it(`restricts the page and warns: other forms in a ${ending} file`, async () => {
            expectClosed(await exportForms(forms, ending), Object.keys(forms));
        });

        it(`keeps an unrestricted page public in a ${ending} file`, async () => {
            for (const [name, text] of Object.entries(open)) {
                const { published } = await exportForms({ [name]: text }, ending);
                assert.ok(published.has(name), name);
            }
        });
    }

    it("names the line of the mistake, and explains how to write front matter", async () => {
        const { warnings } = await exportForms({ slip: "\n---\ntitle: A\ngroups: [a]\n---\n" }, ".md");
        assert.deepEqual(warnings, [
            "slip:4: groups: the page is for certain readers, so it is left out. Use --access to export it for " +
                "them, or --publish-groups to export it for everybody",
            "slip:4: the page mentions groups or public outside of front matter, which begins in the first line with --- alone and ends with --- alone",
        ]);
    });
});

function expectClosed({ published, warnings }: Exported, names: readonly string[]): void {
    const opened = names.filter((name) => published.has(name));
    const silent = names.filter((name) => !warnings.some((text) => text.startsWith(`${name}:`)));
    assert.deepEqual({ opened, silent }, { opened: [], silent: [] });
}
