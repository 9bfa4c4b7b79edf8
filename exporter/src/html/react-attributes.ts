import { attributeInfo, styleText } from "./html-attributes.js";
import { holdsScript } from "./page-scripts.js";
import { EngineValue, isValueRecord, textOfValue, type Value, type ValueRecord } from "../text/script-value.js";

/** Props that React reads itself and never prints. */
const propsOfReact = new Set(
    (
        "key ref children innerHTML dangerouslySetInnerHTML suppressContentEditableWarning suppressHydrationWarning " +
        "defaultValue defaultChecked"
    ).split(" "),
);
/** Attributes that print `true` and `false` as words, like `aria-*` and `data-*`, in lower case. */
const enumerated = new Set(
    "contenteditable draggable spellcheck value autoreverse externalresourcesrequired focusable preservealpha".split(
        " ",
    ),
);
/** Attributes that may have a value or none, in lower case. */
const optionalValues = new Set(["capture", "download"]);
const positiveNumbers = new Set(["cols", "rows", "size", "span"]);
const numbers = new Set(["rowspan", "start"]);
const attributeName = /^[:_\p{L}][:_.\-\p{L}\p{N}]*$/u;

/** True for an attribute without a value; a record is a style. */
type AttributeValue = string | true | ValueRecord;

/**
 * The attributes that React prints for the props of an HTML element, in JSX. Functions and attributes with scripts are
 * reported and left out. Unlike React, it accepts HTML's spelling of names, `style` as text, and lists of
 * classes.
 */
export function attributesOfProps(
    tagName: string,
    props: ValueRecord,
    report: (name: string) => void,
): Record<string, AttributeValue> {
    const attributes: Record<string, AttributeValue> = {};
    for (const [name, value] of Object.entries(withInitialValues(tagName, props))) {
        const written = attributeName.test(name) ? attributeValue(tagName, name, value) : undefined;
        if (
            (value instanceof EngineValue && value.isFunction) ||
            holdsScript(tagName, name, textOf(written, " ") ?? "")
        ) {
            report(name);
        } else if (written !== undefined && !propsOfReact.has(name)) {
            attributes[name] = written;
        }
    }
    return attributes;
}

/** A text field shows its value as text, and a list marks the chosen option. */
function withInitialValues(tagName: string, props: ValueRecord): ValueRecord {
    switch (tagName) {
        case "input":
            return {
                ...props,
                value: props["value"] ?? props["defaultValue"],
                checked: props["checked"] ?? props["defaultChecked"],
            };
        case "select":
        case "textarea":
            return { ...props, value: undefined };
        default:
            return props;
    }
}

/** @returns undefined for an attribute that is left out */
function attributeValue(tagName: string, property: string, value: Value): AttributeValue | undefined {
    const info = attributeInfo(property);
    const name = info.attribute.toLowerCase();
    if (name === "style" && isValueRecord(value)) {
        return styleText(value) === "" ? undefined : value;
    }
    const text = textOf(value, name === "class" ? " " : ",");
    if (text === undefined) {
        return undefined;
    }
    if (info.boolean || name === "hidden") {
        return !value ? undefined : value === "until-found" ? value : true;
    }
    if (positiveNumbers.has(name) || numbers.has(name)) {
        const number = Number(value);
        return Number.isNaN(number) || (positiveNumbers.has(name) && number < 1) ? undefined : text;
    }
    if (value === "" && (name === "src" || (name === "href" && tagName !== "a"))) {
        return undefined;
    }
    if (typeof value !== "boolean" || enumerated.has(name) || /^(?:aria|data)-/.test(name)) {
        return text;
    }
    // The exporter's own attribute of headings.
    return value && (optionalValues.has(name) || name === "noanchor") ? true : undefined;
}

/** The strings and numbers of a value; undefined for nothing and for objects. */
function textOf(value: Value, separator: string): string | undefined {
    if (Array.isArray(value)) {
        const texts = value.map((item: Value) => textOfValue(item));
        return texts.filter((text) => text !== undefined).join(separator);
    }
    return typeof value === "boolean" ? String(value) : textOfValue(value);
}
