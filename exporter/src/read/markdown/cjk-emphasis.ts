import type * as Cjk from "micromark-extension-cjk-friendly-util";
import { lazyModule } from "../../text/lazy-module.js";
import { type PageText } from "./page-text/page-text.js";

const library = lazyModule<typeof Cjk>("micromark-extension-cjk-friendly-util");

/** Matches a run of `*` or `~`; escaped marks are part of a longer match. */
const run = /\\[*~]|\*+|~~/g;
const mayBeCjk = /[\u1100-\u{3fffd}]/u;
const mayHaveRuns = /\*|~~/;

/** A noncharacter, which no text contains, and which Markdown treats like a letter. */
const mark = "\uFDD0";

/**
 * CommonMark does not end emphasis between punctuation and a letter without a space, so that `**注意：**请先` stays as it
 * is written. Marks the punctuation next to such emphasis as a part of a word, by the rules of markdown-cjk-friendly,
 * which VitePress applies by default. `withoutMark` removes the marks from the texts of the parsed tree.
 */
export function markCjkEmphasis(page: PageText): PageText {
    const { text } = page;
    if (!mayHaveRuns.test(text) || !mayBeCjk.test(text)) {
        return page;
    }
    return page.replace(run, ({ 0: stars, index }) => {
        if (stars.startsWith("\\")) {
            return stars;
        }
        const next = text.codePointAt(index + stars.length);
        const left = kindOf(characterBefore(text, index));
        const right = kindOf(next === undefined ? "" : String.fromCodePoint(next));
        const [before, after] = [left.isPunctuation ? mark : "", right.isPunctuation ? mark : ""];
        return (left.isCjk || right.isCjk) && !left.isSpace && !right.isSpace ? before + stars + after : stars;
    });
}

function characterBefore(text: string, at: number): string {
    const isPair = at > 1 && (text.codePointAt(at - 2) ?? 0) > 0xffff;
    return text.slice(at - (isPair ? 2 : 1), at);
}

interface Kind {
    readonly isCjk: boolean;
    readonly isPunctuation: boolean;
    readonly isSpace: boolean;
}

/** @param character empty at the edges of the page */
function kindOf(character: string): Kind {
    const { classifyCharacter, isCjkOrIvs, isSpaceOrPunctuation, isUnicodeWhitespace } = library();
    const category = classifyCharacter(character.codePointAt(0) ?? null);
    const isSpace = character === "" || isUnicodeWhitespace(category);
    return { isCjk: isCjkOrIvs(category), isPunctuation: !isSpace && isSpaceOrPunctuation(category), isSpace };
}

export function hasMarks({ text }: PageText): boolean {
    return text.includes(mark);
}

export function withoutMark(text: string): string {
    return text.replaceAll(mark, "");
}
