import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { parse } from "yaml";
import { copyChart, finishChart, releasedChartText } from "../../../../dev/release/artifacts/chart-files.js";
import { gitlabTemplate } from "../../../../dev/release/artifacts/build-release.js";
import { brokenLinks } from "../../../../dev/release/rehearsal/chart-links.js";
import { root } from "../../../docs/support/documents.js";
import { withFolder } from "../../../sdk/support/files.js";

interface Chart {
    dependencies: object[];
}

const charts = ["documentation-site", "documentation-sites", "static-export-service"];
const released = (path: string, text = readFileSync(join(root, path), "utf8")) =>
    releasedChartText(path, text, "acme", "1.2.3");
/** Lists the files of a chart and of the library to which it links. */
const filesOf = (chart: string) =>
    execFileSync("git", ["ls-files", "--", `charts/${chart}`, "charts/static-export-common"], {
        cwd: root,
        encoding: "utf8",
    })
        .trim()
        .split("\n")
        .filter((path) => !path.endsWith("/static-export-common"));

const repository = "https://github.com/acme/pulumi-static-export/blob/v1.2.3";

describe("A released chart", () => {
    it("links from Markdown to the release's files instead of relative paths", () => {
        const text = "[a](../../docs/a.md#b) [c](values.yaml) [d](#here) [e](https://example.com)";
        assert.equal(
            released("charts/one/README.md", text),
            `[a](${repository}/docs/a.md#b) [c](${repository}/charts/one/values.yaml) [d](#here) [e](https://example.com)`,
        );
    });

    it("has its own names for the library's templates, because a parent chart may contain another version of them", () => {
        const text = '{{- define "static-export-common.labels" -}}{{ include "static-export-common.ownLabels" . }}';
        assert.equal(
            released("charts/one/charts/static-export-common/templates/_names.tpl", text),
            '{{- define "one.common.labels" -}}{{ include "one.common.ownLabels" . }}',
        );
    });

    for (const chart of charts) {
        it(`contains its library, and does not look for it elsewhere: ${chart}`, async () => {
            await withFolder(async (folder) => {
                const sources = join(folder, "charts");
                await cp(join(root, "charts"), sources, { recursive: true, verbatimSymlinks: true });
                // Such a copy stays after `helm dependency build`.
                await writeFile(join(sources, chart, "charts", "static-export-common-0.0.1.tgz"), "");
                const copy = join(folder, chart);
                copyChart(join(sources, chart), copy);
                finishChart(copy, chart, "acme", "1.2.3");
                assert.deepEqual(await readdir(join(copy, "charts")), ["static-export-common"]);
                const { dependencies } = parse(await readFile(join(copy, "Chart.yaml"), "utf8")) as Chart;
                assert.deepEqual(dependencies, [{ name: "static-export-common", version: "0.1.0" }]);
            });
        });

        it(`names its owner in every file: ${chart}`, () => {
            assert.deepEqual(
                filesOf(chart).filter((path) => /example-?-?owner/i.test(released(path))),
                [],
            );
        });

        it(`has links and runbooks that exist in the repository: ${chart}`, () => {
            const texts = filesOf(chart).map((path) => [path, released(path)] as const);
            assert.ok(texts.join("").split(repository).length > 4);
            const owned = { root, owner: "acme", version: "1.2.3" };
            const broken = texts.flatMap(([path, text]) => brokenLinks(text, owned, path));
            assert.deepEqual(broken, []);
        });

        it(`tells Artifact Hub which images it uses: ${chart}`, () => {
            const read = (file: string) => parse(readFileSync(join(root, "charts", chart, file), "utf8")) as unknown;
            const { annotations, appVersion } = read("Chart.yaml") as {
                annotations: Record<string, string>;
                appVersion: string;
            };
            const named = parse(annotations["artifacthub.io/images"] ?? "") as { image: string }[];
            const used = imagesIn(read("values.yaml")).sort();
            const expected = used.length > 0 ? used : [`ghcr.io/example--owner/static-export:${appVersion}`];
            assert.deepEqual(named.map(({ image }) => image).sort(), expected);
        });
    }
});

describe("A link of a released chart", () => {
    const repositoryOf = { root, owner: "acme", version: "1.2.3" };
    const broken = [
        `${repository}/docs/nowhere.md`,
        `${repository}/docs/guides/alerts.md#no-alert`,
        "https://github.com/acme/pulumi-static-export/blob/main/README.md",
        "https://github.com/example--owner/pulumi-static-export/blob/v1.2.3/README.md",
        "https://raw.githubusercontent.com/acme/pulumi-static-export/main/docs/images/nothing.svg",
    ];

    for (const address of broken) {
        it(`is broken if it names a file, a heading or an owner that does not exist: ${address}`, () => {
            assert.deepEqual(brokenLinks(`See ${address}.`.replace(/\.$/, ""), repositoryOf), [address]);
        });
    }

    it("is broken if it is relative, or names no heading of the text", () => {
        const text = "# One thing\n[a](#one-thing) [b](#two) [c](../README.md) [d](https://example.com)";
        assert.deepEqual(brokenLinks(text, repositoryOf, "README.md"), ["#two", "../README.md"]);
    });

    it("may name a file, a heading, or an image of the release", () => {
        const image = "https://raw.githubusercontent.com/acme/pulumi-static-export/main/docs/images/favicon.svg";
        const heading = `${repository}/docs/guides/alerts.md#staticexportqueuewaits`;
        assert.deepEqual(brokenLinks(`[a](${repository}/README.md) [b](${heading}) ![c](${image})`, repositoryOf), []);
    });
});

describe("The template for GitLab in a release", () => {
    it("installs the owner's command in the version of the release", () => {
        const text = gitlabTemplate("acme", "1.2.3-alpha.4");
        assert.match(text, /^ +default: "@acme\/static-export-cli@1\.2\.3-alpha\.4"$/m);
        assert.doesNotMatch(text, /example-?-?owner/i);
    });
});

/** Returns the images that values name by default. */
function imagesIn(values: unknown): string[] {
    if (typeof values !== "object" || values === null) {
        return [];
    }
    const { repository: name, tag } = values as { repository?: unknown; tag?: unknown };
    const own = typeof name === "string" && name !== "" ? [`${name}:${String(tag)}`] : [];
    return [...own, ...Object.values(values).flatMap(imagesIn)];
}
