import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { codeBlocks, documents, ownProjectPage, root, targets } from "./support/documents.js";
import { isCommands } from "./support/follow-blocks.js";
import { followedPages } from "./support/followed-pages.js";

/** Documents outside of the guide with links for readers. */
const outside = [
    ...["SECURITY.md", "CHANGELOG.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "policy/README.md"],
    ...["dev/architecture/README.md", "dev/architecture/import-graph.md", "dev/drills.md"],
    ...["documentation-site", "documentation-sites", "static-export-service"].map((name) => `charts/${name}/README.md`),
];
const all = [...new Set([...documents, ...outside])];
const guide = documents.filter((each) => each.startsWith("docs/"));

/** The home page, and a page that only the registry of Pulumi shows. */
const isForOthers = (page: string) => /^docs\/(index|_index)\.mdx?$/.test(page);

/** The pages on each reader's road from README, and the sections of the last page that the reader came for. */
const roads: Readonly<Record<string, { pages: string[]; goal: RegExp[] }>> = {
    "someone who decides, to cost, limits and versions": {
        pages: ["docs/side-by-side.md"],
        goal: [/^## Cost$/m, /^## Limits$/m, /^## Versions$/m, /Enterprise plan/],
    },
    "someone who decides, to the promises between versions": {
        pages: ["docs/side-by-side.md", "docs/reference/compatibility.md"],
        goal: [/\| Promise \|/],
    },
    "a writer, to a built site": {
        pages: ["docs/guides/writing-pages.md"],
        goal: [
            / create --kind writer$/m,
            / static-export dev docs$/m,
            / static-export build docs --output site --domain docs\.example\.com$/m,
        ],
    },
    "a writer, to components": {
        pages: ["docs/guides/writing-pages.md", "docs/guides/components.md"],
        goal: [/^### Callouts$/m],
    },
    "a writer, to what is not supported": {
        pages: ["docs/guides/writing-pages.md", "docs/reference/not-supported.md"],
        goal: [/^\| Not supported \| What the export does instead/m],
    },
    "a Pulumi user, to a site in a cluster": {
        pages: [ownProjectPage, "docs/guides/kubernetes.md"],
        goal: [/^## When a rollout fails$/m],
    },
    "a Pulumi user, to an earlier export": {
        pages: [ownProjectPage, "docs/guides/roll-back.md"],
        goal: [/^## Serve it$/m, /^## A site in a bucket$/m],
    },
    "an operator, from the first install to the uninstall": {
        pages: ["docs/guides/service-on-kubernetes.md"],
        goal: [
            /^## Install it$[^]*^## Give clients keys$[^]*^## Watch it$[^]*^## Upgrade it, and roll back$[^]*^## Uninstall it$/m,
            /^helm upgrade --install exports /m,
            /^helm uninstall exports$/m,
        ],
    },
    "an operator, to the runbook of an alert": {
        pages: ["docs/guides/service-on-kubernetes.md", "docs/guides/alerts.md"],
        goal: [/^### StaticExportQueueWaits$/m],
    },
    "an operator, to a restored database": {
        pages: ["docs/guides/service-on-kubernetes.md", "docs/guides/restore-and-regions.md"],
        goal: [/^ *pg_restore /m],
    },
    "a reviewer of pull requests, to the preview without secrets and the comment": {
        pages: ["docs/guides/pull-request-checks.md", "docs/reference/preview-report.md"],
        goal: [/^## The comment$/m, /^## Look at this besides the report$/m],
    },
    "a security reviewer, to the secrets and what committers can do": {
        pages: ["SECURITY.md", "docs/guides/what-the-service-trusts.md"],
        goal: [/^## What somebody who can commit can do$/m],
    },
};

const read = (page: string) => readFileSync(join(root, page), "utf8");

/**
 * Returns the file and anchor to which a link leads in the repository, or undefined for a link to another site. A path
 * from the root of the site leads nowhere in the repository.
 */
function targetOf(page: string, url: string): { file: string; anchor: string } | undefined {
    if (/^[a-z]+:/.test(url)) {
        return undefined;
    }
    const [path = "", anchor = ""] = url.split("#");
    const file = path === "" ? page : path.startsWith("/") ? path : normalize(join(dirname(page), path));
    return { file, anchor };
}

/** Returns the pages to which a page links. */
function linkedPages(page: string): string[] {
    return targets(page).flatMap(({ url }) => targetOf(page, url)?.file ?? []);
}

/** Returns the ids that GitHub gives the headings of a text: equal headings are numbered from the second on. */
function anchorsOf(text: string): Set<string> {
    const counts = new Map<string, number>();
    const headings = [...text.replace(/^ *(`{3,})[^]*?^ *\1$/gm, "").matchAll(/^#+ (.+)$/gm)];
    return new Set(
        headings.map(([, heading = ""]) => {
            const id = heading
                .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
                .toLowerCase()
                .replace(/[^\p{L}\p{N}\- _]/gu, "")
                .replaceAll(" ", "-");
            const count = counts.get(id) ?? 0;
            counts.set(id, count + 1);
            return count === 0 ? id : `${id}-${count}`;
        }),
    );
}

/** Returns whether a link of a page leads to an existing file, and to a heading if it has an anchor. */
function leadsSomewhere(page: string, url: string): boolean {
    const target = targetOf(page, url);
    if (target === undefined || target.file.startsWith("..")) {
        return true;
    }
    const { file, anchor } = target;
    if (file.startsWith("/") || !existsSync(join(root, file))) {
        return false;
    }
    return anchor === "" || !/\.mdx?$/.test(file) || anchorsOf(read(file)).has(anchor);
}

describe("From the README", () => {
    it("links lead to every page of the guide", () => {
        const reached = new Set<string>();
        const waiting = ["README.md"];
        for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
            if (!reached.has(page) && all.includes(page)) {
                reached.add(page);
                waiting.push(...linkedPages(page));
            }
        }
        assert.deepEqual(
            guide.filter((page) => !reached.has(page) && !isForOthers(page)),
            [],
        );
    });

    for (const [reader, { pages, goal }] of Object.entries(roads)) {
        it(`links lead ${reader}`, () => {
            for (const [index, page] of pages.entries()) {
                const before = pages[index - 1] ?? "README.md";
                assert.ok(linkedPages(before).includes(page), `${before} does not link to ${page}`);
            }
            const last = read(pages.at(-1) ?? "");
            for (const section of goal) {
                assert.match(last, section);
            }
        });
    }

    it("the roads contain only commands that a spec follows", () => {
        const onRoads = new Set(Object.values(roads).flatMap(({ pages }) => pages));
        const withCommands = [...onRoads].filter((page) => codeBlocks(page).some(isCommands));
        assert.ok(withCommands.length > 5);
        assert.deepEqual(
            withCommands.filter((page) => page !== ownProjectPage && !followedPages.includes(page)),
            [],
        );
    });

    it("a writer sees the first page in a browser within 200 words", () => {
        const [before = ""] = read("docs/guides/writing-pages.md").split("![A page in the browser", 1);
        assert.ok(before.split(/\s+/).length < 200);
    });
});

describe("The documents for readers", () => {
    it("link to existing files and headings in the repository", () => {
        const wrong = all.flatMap((page) =>
            targets(page)
                .filter(({ url }) => !leadsSomewhere(page, url))
                .map(({ url, place }) => `${place}: ${url}`),
        );
        assert.deepEqual(wrong, []);
    });

    it("are rejected if a link begins at the root of the site, lacks its ending or names a missing heading", () => {
        for (const url of ["/quickstart", "./quickstart", "./gone.md", "./quickstart.md#gone"]) {
            assert.equal(leadsSomewhere("docs/own-project.md", url), false, url);
        }
        assert.ok(leadsSomewhere("docs/own-project.md", "./quickstart.md#in-your-own-program"));
        assert.deepEqual([...anchorsOf("## Install `it`\n\n## Install it")], ["install-it", "install-it-1"]);
    });

    it("are Markdown without components, which the repository shows as well, except for the home page", () => {
        const others = guide.filter((page) => !page.endsWith(".md"));
        assert.deepEqual(others, ["docs/index.mdx"]);
    });

    it("have no dead ends: each page of the guide links to another one", () => {
        const ends = guide.filter((page) => linkedPages(page).every((linked) => linked === page));
        assert.deepEqual(
            ends.filter((page) => !isForOthers(page)),
            [],
        );
    });
});
