/**
 * Writes the words of the interface in other languages, from the packages of Starlight and Docusaurus, and from our own
 * list. Run `npm run interface-words` after a word was added.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { missingWords, ownWordNames, ownWords } from "./own-words.js";

const packages = ["@astrojs/starlight@0.42.4", "@docusaurus/theme-translations@3.10.2"] as const;
const output = fileURLToPath(new URL("../../exporter/words/", import.meta.url));

/** Docusaurus's language codes that differ from ours. */
const docusaurusNames: Readonly<Record<string, string>> = { "zh-CN": "zh-Hans", "zh-TW": "zh-Hant", pt: "pt-BR" };

const starlightKeys = {
    skip: "skipLink.label",
    search: "search.label",
    menu: "menuButton.accessibleLabel",
    theme: "themeSelect.accessibleLabel",
    pages: "sidebarNav.accessibleLabel",
    onThisPage: "tableOfContents.onThisPage",
    previous: "page.previousLink",
    next: "page.nextLink",
    changed: "page.lastUpdated",
    language: "languageSelect.accessibleLabel",
    note: "aside.note",
    tip: "aside.tip",
    warning: "aside.caution",
    danger: "aside.danger",
} as const;

const docusaurusKeys = {
    neighbours: "theme.docs.paginator.navAriaLabel",
    version: "theme.docs.versionBadge.label",
    notFound: "theme.NotFound.title",
    notFoundText: "theme.NotFound.p1",
    info: "theme.admonition.info",
    copy: "theme.CodeBlock.copy",
    copied: "theme.CodeBlock.copied",
    close: "theme.AnnouncementBar.closeButtonAriaLabel",
    loading: "theme.SearchPage.fetchingNewResults",
    nothingFound: "theme.SearchPage.noResultsText",
    typeToSearch: "theme.SearchPage.inputPlaceholder",
    notLoaded: "theme.SearchModal.errorScreen.titleText",
} as const;

type Texts = Readonly<Record<string, string>>;

const folder = mkdtempSync(join(tmpdir(), "interface-words-"));
try {
    const [starlight, docusaurus] = packages.map(unpack) as [string, string];
    rmSync(output, { recursive: true, force: true });
    mkdirSync(output);
    for (const [language, own] of Object.entries(ownWords)) {
        const { default: fromStarlight } = (await import(
            pathToFileURL(join(starlight, "dist/translations", `${language}.js`)).href
        )) as { default: Texts };
        const locale = join(docusaurus, "locales", docusaurusNames[language] ?? language);
        const fromDocusaurus = {
            ...readTexts(join(locale, "theme-common.json")),
            ...readTexts(join(locale, "theme-search-algolia.json")),
        };
        const ours = own.split("|");
        if (ours.length !== ownWordNames.length) {
            throw new Error(`${language} has ${ours.length} words of our own instead of ${ownWordNames.length}`);
        }
        const words = {
            ...chosen(fromStarlight, starlightKeys, language),
            ...chosen(fromDocusaurus, docusaurusKeys, language),
            ...missingWords[language],
            ...Object.fromEntries(ownWordNames.map((name, at) => [name, ours[at] ?? ""])),
        };
        writeFileSync(join(output, `${language}.json`), `${JSON.stringify(words, undefined, 2)}\n`);
    }
    const notices = [starlight, docusaurus].map((each) => readFileSync(join(each, "LICENSE"), "utf8"));
    writeFileSync(
        join(output, "LICENSES.txt"),
        `Written by \`npm run interface-words\`. Many of the words in this folder are those of ${packages.join(" and\n")}, which have these licences:

${notices.map((notice) => notice.trim().split("\n\n").slice(0, 5).join("\n\n")).join("\n\n---\n\n")}
`,
    );
} finally {
    rmSync(folder, { recursive: true });
}

/** Downloads a package without its dependencies. */
function unpack(name: string): string {
    const [file = ""] = execFileSync("npm", ["pack", name, "--silent"], { cwd: folder, encoding: "utf8" }).split("\n");
    const place = join(folder, name.replace(/\W/g, "-"));
    execFileSync("mkdir", [place]);
    execFileSync("tar", ["-xzf", join(folder, file), "-C", place, "--strip-components=1"]);
    return place;
}

function readTexts(file: string): Texts {
    return JSON.parse(readFileSync(file, "utf8")) as Texts;
}

function chosen(texts: Texts, keys: Readonly<Record<string, string>>, language: string): Record<string, string> {
    return Object.fromEntries(
        Object.entries(keys).flatMap(([name, key]) => {
            const text = texts[key]?.replace(/\s*[:：]?\s*\{versionLabel\}/, "").trim();
            return text === undefined || text === ""
                ? []
                : [[name, text[0]?.toLocaleUpperCase(language) + text.slice(1)]];
        }),
    );
}
