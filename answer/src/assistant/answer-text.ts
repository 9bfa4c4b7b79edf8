import { type UIMessageChunk } from "ai";
import { type Reader } from "../site/readers-rules.js";
import { type ExportedSite } from "../site/exported-site.js";
import { titleOf } from "../site/page-path.js";
import { type Reading } from "../site/site-tools.js";
import { AnswerBlocks, type AnswerNode } from "./answer-blocks.js";
import { ReasoningFilter, type ReasoningHabit } from "./reasoning-filter.js";
import { writeMarkdown } from "./write-markdown.js";

const noAnswer = "NO_ANSWER";

/** Matches the word in any part of an answer, and a beginning of the word at its end. */
const noAnswers = new RegExp(String.raw`(?<![\w])${noAnswer}(?![\w])`, "g");
const beginningOfNoAnswer = /(?<!\w)[A-Z_]{1,9}$/;

/** The id of the only text part in an answer's message. */
const partId = "answer";

interface AnswerTextSettings {
    readonly site: ExportedSite;
    readonly reader: Reader | undefined;
    /** The site's host name, to recognise its links. */
    readonly domain: string;
    readonly support: string | undefined;
    readonly habit: ReasoningHabit;
}

/**
 * The visible text of an answer. The text appears only after a page was found, and links only to pages of the site. If
 * the pages do not answer the question, the text is the support address.
 */
export class AnswerText {
    readonly #blocks = new AnswerBlocks((target) => this.#resolve(target));
    readonly #titles = new Map<string, string>();
    readonly #cited = new Map<string, string>();
    /** Text that may be the beginning of NO_ANSWER, or that came before a page was found. */
    #beginning: string | undefined = "";
    /** The end of the text, which may be the beginning of NO_ANSWER. */
    #held = "";
    #isOpen = false;
    #isWritten = false;
    #reasoning: ReasoningFilter;

    constructor(private readonly settings: AnswerTextSettings) {
        this.#reasoning = new ReasoningFilter(settings.habit);
    }

    /** Whether the answer cites a page. */
    get isAnswered(): boolean {
        return this.#cited.size > 0;
    }

    addPages(pages: Reading["pages"]): void {
        for (const { path, title } of pages) {
            this.#titles.set(path, title);
        }
    }

    /** Drops the text that the model wrote before it looked for pages. */
    dropPreamble(): void {
        if (!this.#isOpen) {
            this.#reasoning.finish();
            this.#beginning = "";
        }
    }

    async *push(text: string): AsyncGenerator<UIMessageChunk> {
        yield* this.#show(this.#reasoning.push(text));
    }

    /** Returns the rest of a step's text. @param isCut whether the model was stopped before it was done */
    async *endStep(isCut: boolean): AsyncGenerator<UIMessageChunk> {
        yield* this.#show(this.#reasoning.finish(isCut));
        this.#reasoning = new ReasoningFilter(this.settings.habit);
    }

    async *#show(text: string): AsyncGenerator<UIMessageChunk> {
        if (text === "") {
            return;
        }
        if (this.#beginning !== undefined) {
            this.#beginning += text;
            const start = this.#beginning.trimStart().slice(0, noAnswer.length);
            if (this.#titles.size === 0 || noAnswer.startsWith(start)) {
                return;
            }
        }
        const whole = this.#held + (this.#beginning ?? text);
        this.#beginning = undefined;
        this.#held = beginningOfNoAnswer.exec(whole)?.[0] ?? "";
        const rest = whole.slice(0, whole.length - this.#held.length);
        yield* this.#write(await this.#blocks.push(rest.replace(noAnswers, "")));
    }

    /** Returns the remaining text, the cited pages, and the support address if none are cited. */
    async *end(): AsyncGenerator<UIMessageChunk> {
        yield* this.endStep(true);
        if (this.#beginning === undefined) {
            yield* this.#write(await this.#blocks.push(this.#held.replace(noAnswers, "")));
            yield* this.#write(await this.#blocks.flush());
        }
        if (!this.isAnswered) {
            const { support } = this.settings;
            const advice = support === undefined ? "Try other words, or the search." : `Ask ${supportLink(support)}.`;
            const text = `The documentation does not seem to answer this. ${advice}`;
            yield* this.#write([...(await this.#blocks.push(text)), ...(await this.#blocks.flush())]);
        }
        yield* this.stop();
        for (const [url, title] of this.#cited) {
            yield { type: "source-url", sourceId: url, url, title };
        }
    }

    /** Ends the text at its current length. */
    *stop(): Generator<UIMessageChunk> {
        if (this.#isOpen) {
            this.#isOpen = false;
            yield { type: "text-end", id: partId };
        }
    }

    /** Yields the blocks for the panel of the site, and as Markdown for other clients. */
    *#write(blocks: readonly AnswerNode[]): Generator<UIMessageChunk> {
        if (blocks.length === 0) {
            return;
        }
        const separator = this.#isWritten ? "\n\n" : "";
        if (!this.#isOpen) {
            this.#isOpen = true;
            yield { type: "text-start", id: partId };
        }
        this.#isWritten = true;
        yield { type: "text-delta", id: partId, delta: separator + writeMarkdown(blocks) };
        yield { type: "data-blocks", data: blocks };
    }

    async #resolve(target: string): Promise<string | undefined> {
        const { site, reader, domain, support } = this.settings;
        if (support !== undefined && (target === support || target === `mailto:${support}`)) {
            return target;
        }
        const [, address = "", anchor = ""] = /^([^#]*)(#[\w.%-]*)?/.exec(target) ?? [];
        const isAbsolute = /^(?:[a-z][a-z0-9+.-]*:|\/\/|www\.)/i.test(address);
        if (address === "" || (isAbsolute && !isOn(domain, address))) {
            return undefined;
        }
        const page = await site.page(address, reader);
        if (page === undefined) {
            return undefined;
        }
        this.#cited.set(page.path, this.#titles.get(page.path) ?? titleOf(page.markdown) ?? page.path);
        return page.path + anchor;
    }
}

function isOn(domain: string, address: string): boolean {
    return /^https?:/i.test(address) && URL.canParse(address) && new URL(address).hostname === domain.toLowerCase();
}

function supportLink(support: string): string {
    return /^https?:/.test(support) ? `[the support](${support})` : `[${support}](mailto:${support})`;
}
