import { beginningOf } from "@pulumi-static-export/contract";
import { lazyModule } from "../text/lazy-module.js";
import { escapeHtml } from "../text/html-text.js";

interface Katex {
    renderToString(text: string, options: object): string;
}

const katex = lazyModule<Katex>("katex");

/** What the formulas of a page share: their definitions (`\gdef`), and where their problems are reported. */
interface FormulaContext {
    readonly macros: object;
    warn(kind: "formula", reason: string): void;
}

/** A formula as MathML, which browsers display without styles, fonts or scripts. */
export function writeFormula(text: string, display: boolean, context: FormulaContext): string {
    try {
        const html = katex().renderToString(text, {
            displayMode: display,
            output: "mathml",
            throwOnError: true,
            strict: false,
            maxExpand: 200,
            maxSize: 50,
            trust: false,
            macros: context.macros,
        });
        return display ? `<div class="formula" tabindex="0">${html}</div>` : html;
    } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        context.warn("formula", `the formula is shown as it is written: ${beginningOf(reason, 200)}`);
        return display ? `<pre class="formula">${escapeHtml(text)}</pre>` : `<code>${escapeHtml(text)}</code>`;
    }
}
