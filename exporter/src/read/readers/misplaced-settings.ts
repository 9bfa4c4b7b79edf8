/**
 * Matches text that may precede a block: blank and invisible characters, comments, headings that may be YAML comments,
 * and imports.
 */
const skippable = /[\s\0\uFFFD\p{Cf}]+|<!--[^]*?-->|\{\/\*[^]*?\*\/\}|(?:#|\/\/|(?:import|export)\b)[^\n\r]*/uy;

/** Matches any line that an author may mean as the delimiter of a block. */
const marks = /^(?:[-+=;—–―][ \t]*){2,}|^[—–―]/;

const key = /^(?:\{|["']?[a-z][\w-]*["']?[ \t]*[:=：])/i;
const lineEnd = /\r\n|[\r\n\u2028\u2029]/;
const codeFence = /^\s*(?:`{3}|~{3})/;

/** The maximum number of lines after a block's beginning, and the maximum number of their characters. */
const [maxLines, maxLength] = [200, 32_000];

/** Whether front matter that cannot be read, or a misplaced block, seems to mark a draft. */
export function mentionsDraft(text: string): boolean {
    return draftInLine.test(text);
}

const draftInLine =
    /^[^\w\n\r\u2028\u2029]*(?:draft["']?[ \t]*[:=][ \t]*["']?(?:true|yes)|published["']?[ \t]*[:=][ \t]*["']?(?:false|no))\b/im;

/**
 * Finds the line with a setting in a block that is not front matter because of a mistake, such as a blank line or a
 * comment before the block. Returns undefined if no line has the setting.
 * @param mentions whether a text has the setting
 */
export function lineOfMisplaced(source: string, mentions: (text: string) => boolean): number | undefined {
    const skipped = source.slice(0, lengthToSkip(source));
    const head = source.slice(skipped.length, skipped.length + maxLength).replace(/[\0\uFFFD\p{Cf}]/gu, "");
    const [first = "", ...rest] = head.split(lineEnd, maxLines);
    const isMarked = marks.test(first);
    if (!isMarked && (!key.test(first) || /^[#/ie]/m.test(skipped))) {
        return undefined;
    }
    const lines = [first.replace(marks, "")];
    for (const line of rest) {
        const isEnd =
            lines.some((each) => each.trim() !== "") && (marks.test(line) || (!isMarked && line.trim() === ""));
        if (isEnd || codeFence.test(line)) {
            break;
        }
        lines.push(line);
    }
    const text = lines.join("\n");
    if (!mentions(text)) {
        return undefined;
    }
    const at = lines.findIndex(mentions);
    return skipped.split(lineEnd).length + Math.max(0, at);
}

function lengthToSkip(source: string): number {
    let length = 0;
    skippable.lastIndex = 0;
    while (skippable.test(source)) {
        length = skippable.lastIndex;
    }
    return length;
}
