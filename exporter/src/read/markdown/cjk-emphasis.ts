import type * as Cjk from "micromark-extension-cjk-friendly-util";
import { lazyModule } from "../../text/lazy-module.js";
import { rewriteOutsideCode } from "./fences.js";

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
export function markCjkEmphasis(source: string): string {
    if (!mayHaveRuns.test(source) || !mayBeCjk.test(source)) {
        return source;
    }
    return rewriteOutsideCode(source, (text, codeBefore, codeAfter) =>
        text.replace(run, (stars: string, at: number) => {
            if (stars.startsWith("\\")) {
                return stars;
            }
            const end = at + stars.length;
            const left = kindOf(at === 0 ? codeBefore : characterBefore(text, at));
            const right = kindOf(end === text.length ? codeAfter : String.fromCodePoint(text.codePointAt(end) ?? 0));
            const [before, after] = [left.isPunctuation ? mark : "", right.isPunctuation ? mark : ""];
            return (left.isCjk || right.isCjk) && !left.isSpace && !right.isSpace ? before + stars + after : stars;
        }),
    );
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

export function withoutMark(text: string): string {
    return text.replaceAll(mark, "");
}
