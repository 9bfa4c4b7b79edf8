import { escapeHtml } from "../text/html-text.js";
import { styleText } from "../html/html-attributes.js";
import { Content, isValueRecord, JsxValue, textOfValue, type Value } from "../text/script-value.js";
import { type ComponentUse } from "./component.js";

/** An attribute that is a string or a number. */
export function textAttribute({ attributes }: ComponentUse, name: string): string | undefined {
    return textOfValue(attributes[name]);
}

/** The strings and numbers of an attribute that is a single value or a list. */
export function textsAttribute({ attributes }: ComponentUse, name: string): string[] {
    return textsOf(attributes[name]);
}

/** The strings and numbers of a single value or a list. */
export function textsOf(value: Value): string[] {
    return [value]
        .flat()
        .map(textOfValue)
        .filter((text) => text !== undefined);
}

/** Whether an attribute contains JSX, such as `title={<b>Note</b>}`. */
export function isJsx(value: Value): boolean {
    const isList = Array.isArray(value) && value.some((item: Value) => isJsx(item));
    return isList || value instanceof JsxValue || value instanceof Content;
}

/** The text of an attribute without markup; undefined if the attribute is neither text nor JSX. */
export function plainAttribute({ attributes, context }: ComponentUse, name: string): string | undefined {
    const value = attributes[name];
    return isJsx(value) ? context.plainText(value).replace(/\s+/g, " ").trim() : textOfValue(value);
}

/**
 * An attribute that readers see, as HTML, which the search finds; undefined if the attribute is neither text nor JSX.
 *
 * @param write writes text with markup, and adds it to the search
 */
export function shownAttribute(
    { attributes, context }: ComponentUse,
    name: string,
    write: (text: string) => string = (text) => {
        context.search.add(text);
        return escapeHtml(text);
    },
): string | undefined {
    const value = attributes[name];
    const text = isJsx(value) ? undefined : textOfValue(value);
    if (!isJsx(value) && text === undefined) {
        return undefined;
    }
    context.search.separate();
    const html = text === undefined ? context.renderValue(value) : write(text);
    context.search.separate();
    return html;
}

/** True for `name`, `name={true}` and `name="true"`. */
export function flag({ attributes }: ComponentUse, name: string): boolean {
    return attributes[name] === true || attributes[name] === "true";
}

/** Returns a title from text or JSX, and adds it to the search; empty without a title. */
export function title({ attributes, context }: ComponentUse, name = "title", fallback = ""): string {
    const given = attributes[name];
    const value: Value = given === undefined || given === null || given === "" ? fallback : given;
    if (typeof value === "object" && value !== null) {
        return context.renderValue(value);
    }
    const text = textOfValue(value) ?? "";
    context.search.add(` ${text} `);
    return escapeHtml(text);
}

/** The icon of an element, followed by a space; empty without an icon. */
export function iconBefore({ attributes, context }: ComponentUse): string {
    const icon = context.icon(attributes["icon"], attributes["iconType"]);
    return icon === "" ? "" : `${icon} `;
}

/** The value of a `style` attribute for a colour; empty for anything except a plain colour. */
export function cssColor(value: Value): string | undefined {
    const text = textOfValue(value)?.trim();
    return text !== undefined &&
        /^(?:#[\da-f]{3,8}|[a-z]{3,20}|(?:(?:rgb|hsl)a?|hwb|(?:ok)?l(?:ab|ch)|color)\([\w\s.,%/+-]{1,60}\))$/i.test(
            text,
        )
        ? text
        : undefined;
}

/** A valid word of the attribute as a class; empty for other words. */
export function oneOf<T extends string>(use: ComponentUse, name: string, words: readonly T[]): T | undefined {
    const given = textAttribute(use, name)?.toLowerCase();
    return words.find((word) => word === given);
}

/** ` style="…"` with our declarations and the author's in `style`. */
export function styles(own: readonly (string | undefined)[], { attributes }: ComponentUse): string {
    const given = attributes["style"];
    const extra = isValueRecord(given) ? styleText(given) : textOfValue(given);
    const all = [...own, extra].filter((part) => part !== undefined && part !== "");
    return all.length === 0 ? "" : ` style="${escapeHtml(all.join(";"))}"`;
}

/** ` class="a b"` with the author's classes in `className`. */
export function classes(own: string, { attributes }: ComponentUse): string {
    const extra = textOfValue(attributes["className"]) ?? textOfValue(attributes["class"]);
    return ` class="${escapeHtml(extra === undefined ? own : `${own} ${extra}`)}"`;
}
