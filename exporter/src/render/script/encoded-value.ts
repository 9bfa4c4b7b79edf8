import { type Content, emptyRecord, EngineValue, JsxValue, type Value } from "../../text/script-value.js";

/** A value as the engine writes it: what is no text, number or nothing is a list that begins with its kind. */
export type EncodedValue =
    | string
    | number
    | boolean
    | null
    | ["undefined"]
    | ["list", ...EncodedValue[]]
    | ["record", EncodedEntry[]]
    | ["reference", number: number, isFunction: boolean]
    | ["content", number: number]
    | ["element", name: string, attributes: EncodedEntry[], children: EncodedValue[]]
    | ["snippet", number: number, attributes: EncodedEntry[], children: EncodedValue[]];

export type EncodedEntry = [name: string, value: EncodedValue];

/** @param contents parts of the page by their number */
export function decodeValue(encoded: EncodedValue, contents: readonly Content[]): Value {
    if (!Array.isArray(encoded)) {
        return encoded;
    }
    const decode = (value: EncodedValue) => decodeValue(value, contents);
    const record = (entries: readonly EncodedEntry[]) => {
        const made = emptyRecord();
        entries.forEach(([name, value]) => (made[name] = decode(value)));
        return made;
    };
    switch (encoded[0]) {
        case "undefined":
            return undefined;
        case "list":
            return encoded.slice(1).map(decode);
        case "record":
            return record(encoded[1]);
        case "reference":
            return new EngineValue(`__page.references[${encoded[1]}]`, encoded[2]);
        case "content":
            return contents[encoded[1]];
        case "element":
            return new JsxValue(encoded[1], record(encoded[2]), encoded[3].map(decode));
        case "snippet":
            return new JsxValue("", record(encoded[2]), encoded[3].map(decode), contents[encoded[1]]);
    }
}
