interface ReviewedDifference {
    readonly reason: string;
    /** Examples whose text differs. */
    readonly text?: readonly string[];
    /** Examples of which only the elements differ. */
    readonly elements?: readonly string[];
}

/** Where the exporter does not return the HTML of the CommonMark and GFM suites, and why. */
const reviewedDifferences: readonly ReviewedDifference[] = [
    {
        reason: "a page that begins with --- has front matter, which is not shown",
        text: ["CommonMark 96"],
        elements: ["CommonMark 98"],
    },
    {
        reason: "the words after a fence's language are the title of the code",
        text: ["CommonMark 143", "CommonMark 146"],
    },
    {
        reason: "browsers hide the text after a tag without an end; the exporter shows and reports it",
        text: ["CommonMark 156", "CommonMark 157", "CommonMark 158", "CommonMark 173"],
    },
    { reason: "<Warning> is a component", text: ["CommonMark 163"] },
    {
        reason: "elements that HTML does not know show their attributes if they have no content, with a warning",
        text: ["CommonMark 524", "CommonMark 536", "CommonMark 615", "CommonMark 617"],
    },
    {
        reason: "tags without attributes and without an end are text, because their elements would make no sense",
        text: ["CommonMark 150", "CommonMark 613", "GFM 657"],
    },
    {
        reason: "the parser reads a closed tag before it sees that an attribute's name is invalid, so the text lacks a slash",
        text: ["CommonMark 621"],
    },
    {
        reason: "CommonMark 0.31 reads every <!-- … --> as a comment; GFM has the rules of 0.29",
        text: ["GFM 649", "GFM 650"],
    },
    { reason: "headings without text are left out", elements: ["CommonMark 79"] },
    {
        reason: "GFM makes links of addresses in text; CommonMark does not",
        elements: [
            ...["CommonMark 602", "CommonMark 606", "CommonMark 608", "CommonMark 611", "CommonMark 612"],
            ...["GFM 611", "GFM 617", "GFM 620"],
        ],
    },
    {
        reason: "the address after mailto: and xmpp: in text is a link to an e-mail address",
        elements: ["GFM 633", "GFM 634", "GFM 635"],
    },
];

export function namesOf(kind: "text" | "elements"): string[] {
    return reviewedDifferences.flatMap((difference) => difference[kind] ?? []).sort();
}
