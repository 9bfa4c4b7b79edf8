import { decodeUri } from "./decode-uri.js";

/** A name as a part of a JSON pointer (RFC 6901). */
export function pointerPart(name: string): string {
    return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The name that a part of a pointer in an address stands for. */
export function nameOfPointerPart(part: string): string {
    return decodeUri(part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
