import type { HLJSApi, LanguageFn } from "highlight.js";
import { lazyModule } from "../../text/lazy-module.js";
import { languageNamed, languagesOfBodies, withInnerLanguages } from "./code-languages.js";
import { HtmlEmitter } from "./highlight-emitter.js";
import { escapeHtml } from "../../text/html-text.js";

/**
 * Patterns of some languages take quadratic time on a word, or between two words, of thousands of characters. Nobody
 * reads
 * colours in such code.
 */
const longRun = /\S{1000}|\s{1000}/;
const longRunCharacters = 1000;
const maxCodeLength = 100_000;

/** Only once there is code to highlight. */
const core = lazyModule<HLJSApi>("highlight.js/lib/core");

/** Highlights code of readable size when its language is known; otherwise it stays plain. Never guesses a language. */
export function highlight(code: string, name: string | undefined): string {
    const language = name === undefined ? undefined : languageNamed(name);
    if (
        language === undefined ||
        code.length > maxCodeLength ||
        (code.length >= longRunCharacters && longRun.test(code))
    ) {
        return escapeHtml(code);
    }
    const library = core();
    if (library.getLanguage(language) === undefined) {
        // Where the library guesses, in the body of an HTTP message, it does so among these, whatever else is loaded.
        library.configure({ __emitter: HtmlEmitter, languages: [...languagesOfBodies] });
        load(library, language);
    }
    return library.highlight(code, { language, ignoreIllegals: true }).value;
}

/**
 * Each language with all that may be within it: then code looks the same, whatever other code a site has. To load
 * the
 * library's forty common languages takes a twentieth of an export in which one page has changed.
 */
function load(into: HLJSApi, language: string): void {
    for (const name of withInnerLanguages(language)) {
        if (into.getLanguage(name) === undefined) {
            into.registerLanguage(name, lazyModule<LanguageFn>(`highlight.js/lib/languages/${name}`)());
        }
    }
}
