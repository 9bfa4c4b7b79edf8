/** An emoji of eleven UTF-16 units. */
export const emoji = "👨‍👩‍👧‍👦";

/** A site with pages that any limit cuts inside an emoji. */
export function createCutTextSite() {
    return {
        "index.md": "# Home\n",
        "long.md": `# Long\n\nText ${emoji.repeat(9000)}\n`,
        "excerpt.md": `# Excerpt\n\nbefore ${emoji.repeat(60)} middle ${emoji.repeat(60)} after\n`,
    };
}
