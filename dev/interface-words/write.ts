/**
 * Updates the words of the interface that come from the packages of Starlight and Docusaurus. The other words are
 * maintained by hand, in the files of `exporter/words`.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

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

/** Words that a package provides only in English. */
const corrections: Readonly<Record<string, Texts>> = {
    ar: { notLoaded: "تعذّر تحميل البحث." },
    cs: { version: "Verze" },
    da: { notLoaded: "Søgningen kunne ikke indlæses." },
    de: { notLoaded: "Die Suche konnte nicht geladen werden." },
    he: { version: "גרסה", info: "מידע", notLoaded: "לא ניתן לטעון את החיפוש." },
};

type Texts = Readonly<Record<string, string>>;

const folder = mkdtempSync(join(tmpdir(), "interface-words-"));
try {
    const [starlight, docusaurus] = packages.map(unpack) as [string, string];
    for (const name of readdirSync(output).filter((each) => each.endsWith(".json"))) {
        const language = name.slice(0, -".json".length);
        const file = join(output, name);
        const { default: fromStarlight } = (await import(
            pathToFileURL(join(starlight, "dist/translations", `${language}.js`)).href
        )) as { default: Texts };
        const locale = join(docusaurus, "locales", docusaurusNames[language] ?? language);
        const fromDocusaurus = {
            ...readTexts(join(locale, "theme-common.json")),
            ...readTexts(join(locale, "theme-search-algolia.json")),
        };
        const words = {
            ...readTexts(file),
            ...chosen(fromStarlight, starlightKeys, language),
            ...chosen(fromDocusaurus, docusaurusKeys, language),
            ...corrections[language],
        };
        writeFileSync(file, `${JSON.stringify(words, undefined, 2)}\n`);
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
