import { stripVTControlCharacters } from "node:util";
import { h } from "preact";

const controls = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Shows characters that nobody could see, or that would turn the text around, as a mark. */
export function readable(text: string, limit = Infinity): string {
    const shown = text.length > limit ? `${text.slice(0, limit)}…` : text;
    return shown.replace(controls, "\ufffd");
}

interface Style {
    isBold: boolean;
    /** From 0, black, to 7, white. */
    colour: number | undefined;
}

const plainStyle: Style = { isBold: false, colour: undefined };

/** The text that a terminal shows, without colours. */
export function plainText(text: string): string {
    return readable(stripVTControlCharacters(withoutOverwritten(text)));
}

/** The text that a terminal shows, in its colours. */
export function TerminalText({ text }: { text: string }) {
    let style = plainStyle;
    // The parts at odd places are the numbers of the sequences that change the style.
    return withoutOverwritten(text)
        .split(/\p{Cc}\[([\d;]*)m/u)
        .map((part, place) => {
            if (place % 2 === 1) {
                style = part.split(";").map(Number).reduce(styleAfter, style);
                return null;
            }
            const shown = readable(stripVTControlCharacters(part));
            const names = [
                ...(style.isBold ? ["bold"] : []),
                ...(style.colour === undefined ? [] : [`ansi-${style.colour}`]),
            ];
            return names.length === 0 || shown === "" ? shown : h("span", { class: names.join(" ") }, shown);
        });
}

function styleAfter(style: Style, code: number): Style {
    if (code === 0) {
        return plainStyle;
    }
    if (code === 1 || code === 22) {
        return { ...style, isBold: code === 1 };
    }
    const isColour = (code >= 30 && code <= 37) || (code >= 90 && code <= 97);
    return isColour ? { ...style, colour: code % 10 } : code === 39 ? { ...style, colour: undefined } : style;
}

/** A carriage return begins its line again: bars of progress overwrite themselves. */
function withoutOverwritten(text: string): string {
    return text.replace(/\r+\n/g, "\n").replace(/[^\n]*\r/g, "");
}
