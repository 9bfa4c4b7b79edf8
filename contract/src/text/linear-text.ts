/** Removes characters from the end of a text. The expression `/x+$/` takes quadratic time for a text with many of them. */
export function trimTrailing(text: string, characters: string): string {
    let end = text.length;
    while (end > 0 && characters.includes(text.charAt(end - 1))) {
        end -= 1;
    }
    return text.slice(0, end);
}

/** Removes the slashes at both ends of a path. */
export function trimSlashes(path: string): string {
    return trimTrailing(path, "/").replace(/^\/+/, "");
}

/** Removes the query and the anchor of an address. */
export function withoutQuery(address: string): string {
    const end = address.search(/[?#]/);
    return end === -1 ? address : address.slice(0, end);
}

/** Replaces line breaks, with the white space around them, by one space. */
export function joinLines(text: string): string {
    return text.replace(/\s+/g, (space) => (space.includes("\n") ? " " : space));
}
