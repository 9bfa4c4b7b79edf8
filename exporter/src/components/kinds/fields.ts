import { escapeHtml } from "../../text/html-text.js";
import { textOfValue, type Value } from "../../script/value.js";
import { flag, textAttribute } from "./attributes.js";
import { type Component, type ComponentUse } from "./component.js";

const places = ["path", "query", "body", "header", "cookie"] as const;

/** A documented parameter or field of an API. */
const field =
    (idPrefix: string): Component =>
    (use) => {
        const { attributes, host } = use;
        const place = places.find((key) => textAttribute(use, key) !== undefined);
        const name = textAttribute(use, place ?? "name") ?? textAttribute(use, "name") ?? "";
        host.search.add(` ${name} `);
        const id = name === "" ? "" : ` id="${escapeHtml(host.ids.claim(`${idPrefix}-${name}`))}"`;
        const notes = [
            textAttribute(use, "type"),
            place,
            flag(use, "required") ? "required" : undefined,
            flag(use, "deprecated") ? "deprecated" : undefined,
        ];
        const shown = notes.filter((note) => note !== undefined).map((note) => `<span>${escapeHtml(note)}</span>`);
        const fallback = defaultOf(attributes["default"]);
        if (fallback !== undefined) {
            shown.push(`<span>default: ${escapeHtml(fallback)}</span>`);
        }
        const head = `<p class="field-name">${labels(use, "pre")}<code>${escapeHtml(name)}</code>${labels(use, "post")}${shown.join("")}</p>`;
        return `<div class="field"${id}>${head}${use.children()}</div>`;
    };

function defaultOf(value: Value): string | undefined {
    return typeof value === "boolean" ? String(value) : textOfValue(value);
}

function labels({ attributes }: ComponentUse, name: string): string {
    const value = attributes[name];
    const list = Array.isArray(value) ? (value as readonly Value[]) : [value];
    return list
        .map((item) => textOfValue(item))
        .filter((item) => item !== undefined)
        .map((item) => `<span>${escapeHtml(item)}</span>`)
        .join("");
}

export const fieldComponents: readonly [string, Component][] = [
    ["ParamField", field("param")],
    ["Param", field("param")],
    ["ResponseField", field("response")],
];
