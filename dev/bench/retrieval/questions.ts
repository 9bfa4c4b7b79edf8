import { createHash } from "node:crypto";
import { type ExportedPage } from "./exported-pages.js";

export interface Question {
    readonly text: string;
    readonly kind: "FAQ" | "heading";
    /** The path of the page that answers the question. */
    readonly page: string;
}

/**
 * Chooses questions about a site by a fixed rule: headings and titles that end in a question mark, and then other
 * headings of three to ten words. Each question is on only one page, and is not the title of any page. The questions
 * are sorted by their digests.
 *
 * @param count the maximum number of questions; half of them are from FAQs if there are enough
 * @param removable the headings that can be removed from the sources
 */
export function questionsOf(pages: readonly ExportedPage[], count: number, removable: ReadonlySet<string>): Question[] {
    const places = new Map<string, Set<string>>();
    const asked: Question[] = [];
    const titles = new Set(pages.map(({ title }) => plain(title)));
    for (const { path, sections, summaries } of pages) {
        for (const text of new Set([...sections.map(({ heading }) => heading), ...summaries])) {
            const key = plain(text);
            places.set(key, (places.get(key) ?? new Set()).add(path));
            const words = key.split(" ").length;
            if (text.endsWith("?") && words > 3) {
                asked.push({ text, kind: "FAQ", page: path });
            } else if (!text.endsWith("?") && words > 2 && words <= 10) {
                asked.push({ text, kind: "heading", page: path });
            }
        }
    }
    const drawn = asked
        .filter(({ text }) => removable.has(text) && places.get(plain(text))?.size === 1 && !titles.has(plain(text)))
        .sort((one, other) => (digestOf(one) < digestOf(other) ? -1 : 1));
    const faq = drawn.filter(({ kind }) => kind === "FAQ").slice(0, count / 2);
    return [...faq, ...drawn.filter(({ kind }) => kind === "heading").slice(0, count - faq.length)];
}

const plain = (text: string): string =>
    text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, " ")
        .trim();

const digestOf = ({ text }: Question): string => createHash("sha256").update(text).digest("hex");
