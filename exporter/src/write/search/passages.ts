import { type SearchSection } from "../../text/search-text.js";

/** What a reader's browser loads to show one hit, about. */
const maxCharacters = 3000;

/**
 * Cuts a page's text into passages of bounded length, at headings where possible: a passage is what the index knows and
 * what is loaded to be shown, so a long page costs no more than a short one, and wins by no more either.
 */
export function passagesOf(sections: readonly SearchSection[]): SearchSection[][] {
    const passages: SearchSection[][] = [];
    let passage: SearchSection[] = [];
    let length = 0;
    for (const section of sections.flatMap(cutSection)) {
        const added = section.heading.length + section.text.length;
        if (length > 0 && length + added > maxCharacters) {
            passages.push(passage);
            passage = [];
            length = 0;
        }
        passage.push(section);
        length += added;
    }
    return [...passages, passage];
}

function cutSection(section: SearchSection): SearchSection[] {
    const { text } = section;
    const cut: SearchSection[] = [];
    let start = 0;
    while (text.length - start > maxCharacters) {
        const space = text.lastIndexOf(" ", start + maxCharacters);
        const end = space > start ? space : start + maxCharacters;
        cut.push({ ...section, text: text.slice(start, end) });
        start = end;
    }
    return [...cut, { ...section, text: text.slice(start).trim() }];
}
