import { packageFolder } from "../text/package-folder.js";
import { getOrMake } from "../text/get-or-make.js";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";

export const english = {
    skip: "Skip to content",
    search: "Search",
    menu: "Menu",
    theme: "Switch between light and dark",
    pages: "Pages",
    onThisPage: "On this page",
    previous: "Previous",
    next: "Next",
    neighbours: "Previous and next page",
    changed: "Last modified on",
    language: "Language",
    version: "Version",
    product: "Product",
    section: "Section",
    pageMissing: "This page is missing. The link leads to the start page",
    related: "Related topics",
    deprecated: "deprecated",
    feed: "RSS feed",
    inThisSection: "In this section",
    notFound: "Page not found",
    notFoundText: "There is no page at this address.",
    home: "Go to the home page",
    note: "Note",
    tip: "Tip",
    info: "Info",
    check: "Check",
    warning: "Warning",
    danger: "Danger",
    important: "Important",
    caution: "Caution",
    more: "More",
    showMore: "Show more",
    table: "Table",
    diagram: "Diagram",
    details: "Details",
    files: "Files",
    task: "Task",
    copy: "Copy",
    copied: "Copied",
    byKeys: "Press Ctrl+C",
    close: "Close",
    loading: "Loading…",
    nothingFound: "Nothing found",
    typeToSearch: "Type to search.",
    notLoaded: "The search could not be loaded.",
    moreResults: "More results",
    singleKeys: "Single-key shortcuts (/ and ?)",
    allSections: "All sections",
    otherPages: "Other pages",
    example: "Example",
    linkToSection: "Link to this section",
    updatesAbout: "Show only updates about",
    pageActions: "Page actions",
    moreActions: "More actions",
    copyPage: "Copy page",
    viewMarkdown: "View as Markdown",
    savePdf: "Save as PDF",
    apiDocument: "Download the API description",
    askAboutPage: "Ask about this page",
    copyMcp: "Copy the MCP server’s address",
    copyMcpCommand: "Copy the MCP install command",
    installMcp: "Install the MCP server",
    wasHelpful: "Was this page helpful?",
    yes: "Yes",
    no: "No",
    thanks: "Thank you for your feedback.",
    suggestEdit: "Suggest an edit",
    raiseIssue: "Raise an issue",
    askAssistant: "Ask the assistant",
    assistant: "Assistant",
    question: "Your question",
    send: "Send",
    stop: "Stop",
    sources: "Sources",
    selectedText: "Selected text",
    remove: "Remove",
    answering: "Answering…",
    assistantDown: "The assistant is not answering at the moment. Search the pages instead.",
    tooManyQuestions: "Too many questions. Ask again in {seconds} seconds.",
    madeByModel: "A model writes these answers from the pages. Check important facts.",
    stopped: "The answer was stopped.",
};

export type Word = keyof typeof english;
export type Words = Readonly<Record<Word, string>>;

/** The words that the scripts of pages show. */
const ofScripts = [
    ..."search copy copied byKeys close loading nothingFound typeToSearch notLoaded moreResults section".split(" "),
    ..."allSections otherPages example updatesAbout askAssistant singleKeys".split(" "),
] as readonly Word[];

/** The words in the assistant's panel. */
const ofAssistant = [
    ..."assistant question send stop sources selectedText remove answering assistantDown".split(" "),
    ..."tooManyQuestions madeByModel stopped search close copy copied byKeys".split(" "),
] as readonly Word[];

/** Characters that never occur in HTML. */
const [start, end] = ["\x01", "\x02"];

/** Language codes whose words are stored under another code, or depend on the region. */
const otherCodes: ReadonlyMap<string, string> = new Map([
    ["cn", "zh-CN"],
    ["jp", "ja"],
    ["nn", "nb"],
    ["no", "nb"],
    ["zh", "zh-CN"],
    ["zh-hant", "zh-TW"],
    ["zh-hk", "zh-TW"],
]);

/**
 * Returns the placeholder that represents a word in HTML until the page's language is known. Cached pages contain
 * placeholders.
 */
export function word(name: Word): string {
    return start + name + end;
}

/** Whether HTML consists of one word that `inWordsOf` replaces. */
export function isWord(html: string): boolean {
    return html.startsWith(start) && html.indexOf(end) === html.length - 1;
}

/** Replaces the placeholders in HTML with words of a language. */
export function inWordsOf(language: string | undefined, html: string): string {
    const words = wordsOf(language);
    const [before = "", ...parts] = html.split(start);
    const said = parts.map((part) => {
        const at = part.indexOf(end);
        const name = part.slice(0, at);
        return Object.hasOwn(words, name) ? words[name as Word] + part.slice(at + 1) : part;
    });
    return before + said.join("");
}

/** The words for the scripts of a page; undefined if the scripts already contain them. */
export function wordsForScripts(language: string | undefined): Partial<Words> | undefined {
    const words = wordsOf(language);
    return words === english ? undefined : Object.fromEntries(ofScripts.map((name) => [name, words[name]]));
}

/** The words for the assistant's panel, whose script is loaded once for pages in all languages. */
export function wordsOfAssistant() {
    const known = ["en", ...translatedLanguages()].sort().map((code): [string, Partial<Words>] => {
        const words = wordsOf(code);
        return [code.toLowerCase(), Object.fromEntries(ofAssistant.map((name) => [name, words[name]]))];
    });
    const codes = [...otherCodes].map(([code, known]): [string, string] => [code, known.toLowerCase()]);
    return { languages: Object.fromEntries(known), codes: Object.fromEntries(codes) };
}

/** Whether the interface is translated into a language. */
export function hasWords(language: string): boolean {
    return wordsOf(language) !== english || codeOf(language) === "en";
}

const wordsDir = new URL("words/", packageFolder);

const byLanguage = new Map<string | undefined, Words>();

let codes: readonly string[] | undefined;

/** The languages with a file of words. */
export function translatedLanguages(): readonly string[] {
    return (codes ??= readdirSync(wordsDir)
        .filter((file) => file.endsWith(".json"))
        .map((file) => basename(file, ".json")));
}

/** English for missing translations, and for unknown languages. */
function wordsOf(language: string | undefined): Words {
    return getOrMake(byLanguage, language, () => {
        const code = codeOf(language ?? "en");
        return code === "" || code === "en" ? english : { ...english, ...readWords(code) };
    });
}

function readWords(code: string): Partial<Words> {
    return JSON.parse(readFileSync(new URL(`${code}.json`, wordsDir), "utf8")) as Partial<Words>;
}

/** The language for a tag such as `fr-CA` or `zh-Hant-TW`; empty if it has no translation. */
function codeOf(tag: string): string {
    const parts = tag.replaceAll("_", "-").toLowerCase().split("-");
    const known = [...translatedLanguages(), "en"];
    for (let length = parts.length; length > 0; length -= 1) {
        const code = parts.slice(0, length).join("-");
        const found = known.find((each) => each.toLowerCase() === code) ?? otherCodes.get(code);
        if (found !== undefined) {
            return found;
        }
    }
    return "";
}
