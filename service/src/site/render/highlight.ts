import type { HLJSApi, LanguageFn } from "highlight.js";
import { lazyModule } from "../lazy-module.js";
import { HtmlEmitter } from "./highlight-emitter.js";
import { escapeHtml } from "./html-text.js";

/** Those that the library does not count among the common ones. */
const moreLanguages = ["dockerfile", "http", "nginx", "powershell", "properties"];

/** Patterns of some languages take quadratic time on a word of thousands of letters. Nobody reads colours in such code. */
const longWord = /\S{1000}/;
const longWordLetters = 1000;
const longestCode = 100_000;

const commonLanguages = lazyModule<HLJSApi>("highlight.js/lib/common");
let loaded: HLJSApi | undefined;

/** Highlights code of readable size when its language is known; otherwise it stays plain. Never guesses a language. */
export function highlight(code: string, language: string | undefined): string {
    if (language === undefined || code.length > longestCode) {
        return escapeHtml(code);
    }
    loaded ??= load();
    if (loaded.getLanguage(language) === undefined || hasLongWord(code)) {
        return escapeHtml(code);
    }
    return loaded.highlight(code, { language, ignoreIllegals: true }).value;
}

function hasLongWord(code: string): boolean {
    return code.length >= longWordLetters && longWord.test(code);
}

/** Only once there is code to highlight: the grammars take a tenth of the time of an export that changes nothing. */
function load(): HLJSApi {
    const library = commonLanguages();
    for (const name of moreLanguages) {
        library.registerLanguage(name, lazyModule<LanguageFn>(`highlight.js/lib/languages/${name}`)());
    }
    library.registerAliases(["mdx"], { languageName: "markdown" });
    library.registerAliases(["dotenv", "env"], { languageName: "properties" });
    library.configure({ __emitter: HtmlEmitter });
    return library;
}
