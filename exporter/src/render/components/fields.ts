import { escapeHtml } from "../../text/html-text.js";
import { textOfValue } from "../../text/script-value.js";
import { flag, textAttribute, textsAttribute } from "./attributes.js";
import { type Component } from "./component.js";

const places = ["path", "query", "body", "header", "cookie"] as const;

/** A documented parameter or field of an API. */
const field =
    (idPrefix: string): Component =>
    (use) => {
        const { context } = use;
        const place = places.find((key) => textAttribute(use, key) !== undefined);
        const name = textAttribute(use, place ?? "name") ?? textAttribute(use, "name") ?? "";
        context.search.add(` ${name} `);
        const id = name === "" ? "" : ` id="${escapeHtml(context.ids.claim(`${idPrefix}-${name}`))}"`;
        const preset = use.attributes["default"];
        const fallback = typeof preset === "boolean" ? String(preset) : textOfValue(preset);
        const notes = [
            textAttribute(use, "type"),
            place,
            flag(use, "required") ? "required" : undefined,
            flag(use, "deprecated") ? "deprecated" : undefined,
            fallback === undefined ? undefined : `default: ${fallback}`,
        ].filter((note) => note !== undefined);
        const head = `<p class="field-name">${labels(textsAttribute(use, "pre"))}<code>${escapeHtml(name)}</code>${labels([...textsAttribute(use, "post"), ...notes])}</p>`;
        return `<div class="field"${id}>${head}${use.children()}</div>`;
    };

function labels(texts: readonly string[]): string {
    return texts.map((text) => `<span>${escapeHtml(text)}</span>`).join("");
}

export const fieldComponents: readonly [string, Component][] = [
    ["ParamField", field("param")],
    ["Param", field("param")],
    ["ResponseField", field("response")],
];
