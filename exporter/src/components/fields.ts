import { escapeHtml } from "../text/html-text.js";
import { flag, plainAttribute, shownAttribute, textAttribute, textsOf } from "./attributes.js";
import { type Component, type Components, type ComponentText, type ComponentUse } from "./component.js";
import { listItem } from "./markdown-text.js";

/** The location of an API parameter, by the attribute that contains its name. */
const places = ["path", "query", "body", "header", "cookie"] as const;

/** A documented parameter or field of an API. */
const field = (idPrefix: string): Component => ({
    text: fieldText,
    isListed: true,
    html: (use) => {
        const { context } = use;
        const place = places.find((key) => textAttribute(use, key) !== undefined);
        const name = textAttribute(use, place ?? "name") ?? plainAttribute(use, "name") ?? "";
        context.search.add(` ${name} `);
        const id = name === "" ? "" : ` id="${escapeHtml(context.ids.claim(`${idPrefix}-${name}`))}"`;
        const preset = use.attributes["default"];
        const fallback = typeof preset === "boolean" ? String(preset) : shownAttribute(use, "default");
        const notes = [
            shownAttribute(use, "type"),
            place,
            flag(use, "required") ? "required" : undefined,
            flag(use, "deprecated") ? "deprecated" : undefined,
            fallback === undefined ? undefined : `default: ${fallback}`,
        ].filter((note) => note !== undefined);
        const head = `<p class="field-name">${labels(shownTexts(use, "pre"))}<code>${escapeHtml(name)}</code>${labels([...shownTexts(use, "post"), ...notes])}</p>`;
        return `<div class="field"${id}>${head}${use.children()}</div>`;
    },
});

const fieldText: ComponentText = ({ attribute, value, flag, inner }) => {
    const place = places.find((name) => attribute(name) !== undefined);
    const preset = value("default");
    const fallback = typeof preset === "boolean" ? String(preset) : attribute("default");
    const notes = [
        ...textsOf(value("post")),
        attribute("type"),
        place,
        flag("required") ? "required" : undefined,
        flag("deprecated") ? "deprecated" : undefined,
        fallback === undefined ? undefined : `default: ${fallback}`,
    ].filter((note) => note !== undefined);
    const name = `\`${attribute(place ?? "name", "name") ?? ""}\``;
    const head = [...textsOf(value("pre")), name, ...(notes.length === 0 ? [] : [`(${notes.join(", ")})`])];
    return listItem("- ", head.join(" "), inner);
};

function labels(texts: readonly string[]): string {
    return texts.map((html) => `<span>${html}</span>`).join("");
}

/** The texts of an attribute that is a single value or a list, as HTML. */
function shownTexts(use: ComponentUse, name: string): string[] {
    return [use.attributes[name]]
        .flat()
        .map((value) => shownAttribute({ ...use, attributes: { value } }, "value"))
        .filter((html) => html !== undefined);
}

export const fieldComponents: Components = {
    ParamField: field("param"),
    Param: { ...field("param"), mayBe: "text" },
    ResponseField: field("response"),
};
