import { lazyModule } from "../text/lazy-module.js";
import { escapeHtml } from "../text/html-text.js";

interface Katex {
    renderToString(text: string, options: object): string;
}

const katex = lazyModule<Katex>("katex");

/** A formula as MathML, which browsers display without styles, fonts or scripts. */
export function writeFormula(text: string, display: boolean, report: (reason: string) => void): string {
    try {
        const html = katex().renderToString(text, {
            displayMode: display,
            output: "mathml",
            throwOnError: true,
            strict: false,
            maxExpand: 200,
            maxSize: 50,
            trust: false,
        });
        return display ? `<div class="formula" tabindex="0">${html}</div>` : html;
    } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        report(`the formula is shown as it is written: ${reason.slice(0, 200)}`);
        return display ? `<pre class="formula">${escapeHtml(text)}</pre>` : `<code>${escapeHtml(text)}</code>`;
    }
}
