import { isRecord } from "./config-file.js";
import { type WithIcon } from "./navigation.js";

/** The icon of an entry of the settings, which may also be an object with `name` and `style`. */
export function iconOf(record: Readonly<Record<string, unknown>>): WithIcon {
    const { icon } = record;
    const [name, style] = isRecord(icon) ? [icon["name"], icon["style"]] : [icon, record["iconType"]];
    return typeof name === "string" && name !== ""
        ? { icon: name, ...(typeof style === "string" && style !== "" && { iconType: style }) }
        : {};
}
