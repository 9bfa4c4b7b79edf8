/*
 * Beginnings of lines that begin a block, as parts of patterns. The end of a line may be in the text or not:
 * https://spec.commonmark.org/0.31.2/#container-blocks-and-leaf-blocks
 */

const endOfLine = String.raw`\r?\n?$`;

/** The marker of a list item, without the blank after it. */
export const itemMarker = String.raw`(?:[-*+]|\d{1,9}[.)])`;

export const itemStart = String.raw`${itemMarker}(?:[ \t]|${endOfLine})`;

export const heading = String.raw`#{1,6}(?:[ \t]|${endOfLine})`;

export const thematicBreak = String.raw`(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})${endOfLine}`;

/** The definition of a footnote. */
export const footnote = String.raw`\[\^(?:\\.|[^\]\\\s])+\]:`;
