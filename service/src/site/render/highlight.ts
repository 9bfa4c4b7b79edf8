import hljs from "highlight.js/lib/common";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import http from "highlight.js/lib/languages/http";
import nginx from "highlight.js/lib/languages/nginx";
import powershell from "highlight.js/lib/languages/powershell";
import properties from "highlight.js/lib/languages/properties";
import { escapeHtml } from "./html-text.js";

hljs.registerLanguage("dockerfile", dockerfile);
hljs.registerLanguage("http", http);
hljs.registerLanguage("nginx", nginx);
hljs.registerLanguage("powershell", powershell);
hljs.registerLanguage("properties", properties);
hljs.registerAliases(["mdx"], { languageName: "markdown" });
hljs.registerAliases(["dotenv", "env"], { languageName: "properties" });

/** Patterns of some languages take quadratic time on a word of thousands of letters. Nobody reads colours in such code. */
const longestWord = /\S{1000}/;
const longestCode = 100_000;

/** Highlights code of readable size when its language is known; otherwise it stays plain. Never guesses a language. */
export function highlight(code: string, language: string | undefined): string {
    if (
        language === undefined ||
        hljs.getLanguage(language) === undefined ||
        code.length > longestCode ||
        longestWord.test(code)
    ) {
        return escapeHtml(code);
    }
    return hljs.highlight(code, { language, ignoreIllegals: true }).value;
}
