import { isRecord } from "../../text/json-values.js";

/** What shows an icon: its name or address, and its style if it is one of Font Awesome. */
export interface WithIcon {
    readonly icon?: string;
    readonly iconType?: string;
}

/** The icon of an entry of the settings, which may also be an object with `name` and `style`. */
export function iconOf(record: Readonly<Record<string, unknown>>): WithIcon {
    const { icon } = record;
    const [name, style] = isRecord(icon) ? [icon["name"], icon["style"]] : [icon, record["iconType"]];
    return typeof name === "string" && name !== ""
        ? { icon: name, ...(typeof style === "string" && style !== "" && { iconType: style }) }
        : {};
}
