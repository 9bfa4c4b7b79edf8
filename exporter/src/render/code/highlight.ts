import type { HLJSApi, LanguageFn } from "highlight.js";
import { lazyModule } from "../../text/lazy-module.js";
import { languageNamed, languagesOfBodies, withInnerLanguages } from "./code-languages.js";
import { escapeHtml } from "../../text/html-text.js";

/**
 * For some languages, highlighting takes quadratic time if words, or gaps between words, have thousands of characters.
 * Code with longer words or gaps is not highlighted.
 */
const unbrokenText = /\S{1000}|\s{1000}/;
const unbrokenCharacters = 1000;
const maxCodeLength = 100_000;

/** The library, which is loaded when the first code is highlighted. */
const core = lazyModule<HLJSApi>("highlight.js/lib/core");

/** Highlights code of reasonable size in a known language. Never guesses a language. */
export function highlight(code: string, name: string | undefined): string {
    const language = name === undefined ? undefined : languageNamed(name);
    if (
        language === undefined ||
        code.length > maxCodeLength ||
        (code.length >= unbrokenCharacters && unbrokenText.test(code))
    ) {
        return escapeHtml(code);
    }
    const library = core();
    if (library.getLanguage(language) === undefined) {
        // The library guesses the language of an HTTP message body among these languages only, even if others are
        // registered.
        library.configure({ languages: [...languagesOfBodies] });
        load(library, language);
    }
    return library.highlight(code, { language, ignoreIllegals: true }).value;
}

/**
 * Registers each language with all languages that it may contain, so that code looks the same regardless of a site's
 * other code. Loading the library's forty common languages takes 5 % of the time of an export in which one page has
 * changed.
 */
function load(into: HLJSApi, language: string): void {
    for (const name of withInnerLanguages(language)) {
        if (into.getLanguage(name) === undefined) {
            into.registerLanguage(name, lazyModule<LanguageFn>(`highlight.js/lib/languages/${name}`)());
        }
    }
}
