import type { HLJSApi, LanguageFn } from "highlight.js";
import { lazyModule } from "../lazy-module.js";
import { HtmlEmitter } from "./highlight-emitter.js";
import { escapeHtml } from "./html-text.js";

/** Languages that the library does not count among the common ones, each loaded where a page has it, and their other names. */
const moreLanguages: Readonly<Record<string, readonly string[]>> = {
    apache: ["apacheconf"],
    clojure: ["clj", "edn"],
    cmake: [],
    crystal: ["cr"],
    dart: [],
    django: ["jinja", "jinja2"],
    dockerfile: ["docker"],
    dos: ["bat", "batch", "cmd"],
    elixir: ["ex", "exs"],
    elm: [],
    erlang: ["erl"],
    fsharp: ["fs", "f#"],
    gradle: [],
    groovy: [],
    handlebars: ["hbs"],
    haskell: ["hs"],
    http: ["https"],
    julia: ["jl"],
    latex: ["tex"],
    matlab: [],
    nginx: ["nginxconf"],
    nim: [],
    nix: ["nixos"],
    ocaml: ["ml"],
    pgsql: ["postgres", "postgresql"],
    powershell: ["pwsh", "ps", "ps1"],
    properties: ["dotenv", "env", ".env"],
    protobuf: ["proto"],
    scala: [],
    twig: [],
};

/** Names that pages have for common languages, and that the library does not know. */
const moreNames: Readonly<Record<string, readonly string[]>> = {
    bash: ["curl", "fish", "shellscript"],
    json: ["ndjson"],
    markdown: ["mdx"],
    objectivec: ["objective-c"],
    shell: ["sh-session", "terminal"],
    xml: ["svelte", "vue"],
};

const languageOfName = new Map(
    Object.entries(moreLanguages).flatMap(([name, others]) => [name, ...others].map((each) => [each, name] as const)),
);

/**
 * Patterns of some languages take quadratic time on a word, or between two words, of thousands of characters. Nobody reads
 * colours in such code.
 */
const longRun = /\S{1000}|\s{1000}/;
const longRunCharacters = 1000;
const longestCode = 100_000;

const commonLanguages = lazyModule<HLJSApi>("highlight.js/lib/common");
let loaded: HLJSApi | undefined;

/** Highlights code of readable size when its language is known; otherwise it stays plain. Never guesses a language. */
export function highlight(code: string, language: string | undefined): string {
    if (language === undefined || code.length > longestCode) {
        return escapeHtml(code);
    }
    loaded ??= load();
    loadMore(loaded, language);
    if (loaded.getLanguage(language) === undefined || hasLongRun(code)) {
        return escapeHtml(code);
    }
    return loaded.highlight(code, { language, ignoreIllegals: true }).value;
}

function hasLongRun(code: string): boolean {
    return code.length >= longRunCharacters && longRun.test(code);
}

/** Only once there is code to highlight: the grammars take a tenth of the time of an export that changes nothing. */
function load(): HLJSApi {
    const library = commonLanguages();
    for (const [languageName, names] of Object.entries(moreNames)) {
        library.registerAliases([...names], { languageName });
    }
    // Where the library guesses, in the body of an HTTP message, it does so among these, whatever is loaded later.
    library.configure({ __emitter: HtmlEmitter, languages: library.listLanguages() });
    return library;
}

/** No other language has one of these within it, so what else a page shows does not change what it looks like. */
function loadMore(library: HLJSApi, language: string): void {
    const name = languageOfName.get(language);
    if (name !== undefined && library.getLanguage(name) === undefined) {
        library.registerLanguage(name, lazyModule<LanguageFn>(`highlight.js/lib/languages/${name}`)());
        library.registerAliases([...(moreLanguages[name] ?? [])], { languageName: name });
    }
}
