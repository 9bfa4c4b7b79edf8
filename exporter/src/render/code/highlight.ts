import type { HLJSApi, LanguageFn } from "highlight.js";
import { lazyModule } from "../../text/lazy-module.js";
import { languageNamed, languagesOfBodies, withInnerLanguages } from "./code-languages.js";
import { HtmlEmitter } from "./highlight-emitter.js";
import { escapeHtml } from "../../text/html-text.js";

/**
 * Some languages' patterns take quadratic time on words, or gaps between words, of thousands of characters. Nobody
 * needs colours in such code.
 */
const unbrokenText = /\S{1000}|\s{1000}/;
const unbrokenCharacters = 1000;
const maxCodeLength = 100_000;

/** Loaded with the first code to highlight. */
const core = lazyModule<HLJSApi>("highlight.js/lib/core");

/** Highlights code of readable size if its language is known, and leaves other code plain. Never guesses a language. */
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
        // In the body of an HTTP message the library guesses, and only among these, whatever else is loaded.
        library.configure({ __emitter: HtmlEmitter, languages: [...languagesOfBodies] });
        load(library, language);
    }
    return library.highlight(code, { language, ignoreIllegals: true }).value;
}

/**
 * Registers each language with all that may be within it, so that code looks the same whatever other code a site has.
 * Loading the library's forty common languages takes a twentieth of an export in which one page has changed.
 */
function load(into: HLJSApi, language: string): void {
    for (const name of withInnerLanguages(language)) {
        if (into.getLanguage(name) === undefined) {
            into.registerLanguage(name, lazyModule<LanguageFn>(`highlight.js/lib/languages/${name}`)());
        }
    }
}
