import { type WarningKind } from "../../problems/warning-log.js";
import { type PageScript } from "../script/page-script.js";
import { type EngineValue, type Value } from "../../text/script-value.js";
import { escapeHtml } from "../../text/html-text.js";
import { warnOfHidden } from "./hidden-content.js";
import { type PageContext } from "./page-context.js";
import { type RenderPlace } from "./render-place.js";

/** A use of a component that the page or one of its imports defines. */
interface OwnComponentUse {
    readonly name: string;
    readonly component: EngineValue;
    /** As code. */
    readonly attributes: string;
    readonly children: Value;
}

/** The component's first view, followed by its views after clicks; undefined for anything that is not a component. */
export function renderOwnComponent(
    use: OwnComponentUse,
    script: PageScript,
    context: PageContext,
    place: RenderPlace,
): string | undefined {
    const { name, component, attributes, children } = use;
    const { line } = place;
    const warn = (kind: WarningKind, reason: string) => {
        place.line = line;
        place.warn(kind, reason);
    };
    const shown = script.show(component, attributes, children, place.scope);
    if (shown === undefined) {
        return undefined;
    }
    for (const problem of shown.problems) {
        warn("attribute", `${problem.name} in <${name}> is left out: ${problem.reason}`);
    }
    const { states, missing, loadsData } = shown;
    if (missing > 0) {
        warn("component", `the content that <${name}> shows after ${missing} clicks is left out`);
    }
    if (loadsData) {
        warn("component", loadsLater(name));
    }
    const html =
        context.renderValue(shown.value) + states.map(({ label, value }) => writeState(context, label, value)).join("");
    place.line = line;
    warnOfHidden(name, "component", children, html, context);
    return html;
}

function loadsLater(name: string): string {
    return (
        `<${name}> loads data in an effect, which an export does not run: the page keeps the content that it shows ` +
        "before the data has arrived. Put the data into the page or into a file that it imports, or link to " +
        "the place that shows the data"
    );
}

function writeState(context: PageContext, label: Value, value: Value): string {
    const text = context.plainText(label).trim();
    context.search.add(` ${text} `);
    const title = escapeHtml(text);
    const head = title === "" ? "" : `<p class="state-title">${title}</p>`;
    return `<section class="state"${title === "" ? "" : ` aria-label="${title}"`}>${head}${context.renderValue(value)}</section>`;
}
