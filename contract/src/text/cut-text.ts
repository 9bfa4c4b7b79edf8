let segmenter: Intl.Segmenter | undefined;

/** A longer grapheme, which only hostile text has, is cut between two code points. */
const maxGrapheme = 64;

/**
 * The last place, up to a given one, where a text can be cut: not inside an emoji, a letter with its accents, or another
 * grapheme. Only the beginning of a text may be longer than `at`, because the first character is never cut.
 */
export function cutPlace(text: string, at: number): number {
    if (at <= 0 || at >= text.length) {
        return Math.max(0, Math.min(at, text.length));
    }
    const from = Math.max(0, at - maxGrapheme);
    const near = text.slice(from, at + maxGrapheme);
    // A few browsers do not have it.
    segmenter ??= typeof Intl.Segmenter === "function" ? new Intl.Segmenter() : undefined;
    const place = from + (segmenter?.segment(near).containing(at - from)?.index ?? 0);
    if (place > from) {
        return place;
    }
    const isInside = isLowSurrogate(text.charCodeAt(at)) && isHighSurrogate(text.charCodeAt(at - 1));
    return isInside ? at - 1 || 2 : at;
}

/** The beginning of a text, of at most `maxLength` UTF-16 units. */
export function beginningOf(text: string, maxLength: number): string {
    return text.slice(0, cutPlace(text, maxLength));
}

/** The end of a text, of at most `maxLength` UTF-16 units. */
export function endOf(text: string, maxLength: number): string {
    const at = Math.max(0, text.length - maxLength);
    const place = cutPlace(text, at);
    return text.slice(place === at ? at : nextPlace(text, at));
}

function nextPlace(text: string, at: number): number {
    for (let place = at + 1; place < Math.min(text.length, at + maxGrapheme); place += 1) {
        if (cutPlace(text, place) === place) {
            return place;
        }
    }
    return isLowSurrogate(text.charCodeAt(at)) ? at + 1 : at;
}

export function isHighSurrogate(code: number): boolean {
    return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
    return code >= 0xdc00 && code <= 0xdfff;
}
