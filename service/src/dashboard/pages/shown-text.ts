import { beginningOf } from "@pulumi-static-export/contract";
import { type ComponentChild, h } from "preact";
import { TerminalReader, withoutSequences } from "../../output/terminal-reader.js";

const controls = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Shows characters that nobody could see, or that would turn the text around, as a mark. */
export function readable(text: string, limit = Infinity): string {
    const shown = text.length > limit ? `${beginningOf(text, limit)}…` : text;
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
    return readable(withoutSequences(withoutOverwritten(text)));
}

/** The text that a terminal shows, in its colours. */
export function TerminalText({ text }: { text: string }) {
    const shown: ComponentChild[] = [];
    let style = plainStyle;
    let part: string[] = [];
    const add = (added: string) => part.push(added);
    const endPart = () => {
        shown.push(styled(readable(part.join("")), style));
        part = [];
    };
    const reader = new TerminalReader({
        show: add,
        endLine: add,
        hide: add,
        style: (codes) => {
            const next = codes.split(";").map(Number).reduce(styleAfter, style);
            if (next.isBold !== style.isBold || next.colour !== style.colour) {
                endPart();
                style = next;
            }
        },
    });
    reader.read(withoutOverwritten(text));
    endPart();
    return shown;
}

function styled(text: string, { isBold, colour }: Style): ComponentChild {
    const names = [...(isBold ? ["bold"] : []), ...(colour === undefined ? [] : [`ansi-${colour}`])];
    return names.length === 0 || text === "" ? text : h("span", { class: names.join(" ") }, text);
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
    return text.split("\n").map(lastDrawn).join("\n");
}

function lastDrawn(line: string): string {
    let end = line.length;
    while (line[end - 1] === "\r") {
        end -= 1;
    }
    return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}
