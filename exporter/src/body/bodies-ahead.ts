import { availableParallelism } from "node:os";
import { type SitePage } from "../plan/site-page.js";
import { type SitePlan } from "../plan/site-plan.js";
import { BodyThread } from "./body-thread.js";
import { type BodyRequest } from "./body-thread-message.js";
import { renderBody, type BodyContext, type NewBody } from "./render-body.js";

/** To start a thread and to compile the program there takes about as long as to render so many pages. */
const minPages = 150;

/** How far the work may go ahead. What waits long outlives a cheap collection of garbage: 256 pages took a fifth more memory. */
const maxAhead = 48;

/** Pages go to the thread in batches, so many at a time that it is never without work. */
const pagesOfABatch = 8;
const maxOut = 3 * pagesOfABatch;

/**
 * What a page may have to be rendered ahead. A page that exhausts stack or memory ends the process, and is to be named
 * then: pages that might are rendered when they are asked for. The stack of a thread is half of a process's.
 */
const maxBytes = 24_000;
const maxNesting = 600;
const nestingCharacters = /[[({<>=:?*_~]/g;

export interface AheadProgress {
    /** Called with the page that is rendered here, or waited for. */
    readonly onPage: ((file: string) => void) | undefined;
    readonly yieldToEventLoop: () => Promise<void>;
}

/**
 * Renders bodies before they are asked for, in this thread and in a second one, which share the work page by page. A page
 * that fails, or whose thread fails, is left to whoever asks for it.
 */
export class BodiesAhead {
    readonly #pages: readonly SitePage[];
    readonly #context: BodyContext;
    /** Numbers of the pages that may be rendered ahead, in order. */
    readonly #candidates: readonly number[];
    #begun = 0;
    readonly #out = new Set<number>();
    readonly #done = new Map<SitePage, NewBody>();
    readonly #thread: BodyThread | undefined;

    /** @param isKnown whether a page need not be rendered */
    constructor(plan: SitePlan, context: BodyContext, isKnown: (page: SitePage) => boolean) {
        const { pages, content } = plan;
        this.#pages = pages;
        this.#context = context;
        const isOfText = ({ operation, model }: SitePage) => operation === undefined && model === undefined;
        this.#candidates = pages.flatMap((page, number) =>
            isOfText(page) && content.bytesOf(page.file) <= maxBytes && !isKnown(page) ? [number] : [],
        );
        if (this.#candidates.length >= minPages && availableParallelism() > 1) {
            this.#thread = new BodyThread(plan, context);
        }
    }

    /** Resolves when the page is not with the second thread any more; until then others are rendered here. */
    async ready(number: number, { onPage, yieldToEventLoop }: AheadProgress): Promise<void> {
        if (this.#thread === undefined) {
            return;
        }
        this.#exchange(this.#thread, number);
        while (this.#out.has(number)) {
            const other = this.#next(number);
            onPage?.((this.#pages[other ?? number] as SitePage).file);
            if (other === undefined) {
                await this.#thread.news();
            } else {
                this.#renderHere(other);
                await yieldToEventLoop();
            }
            this.#exchange(this.#thread, number);
        }
    }

    /** The page's body, if it was rendered ahead. */
    take(page: SitePage): NewBody | undefined {
        const body = this.#done.get(page);
        this.#done.delete(page);
        return body;
    }

    close(): void {
        this.#thread?.close();
    }

    /** Takes over what the thread has done, and gives it pages behind the one that is asked for. */
    #exchange(thread: BodyThread, asked: number): void {
        for (const { number, body } of thread.answers()) {
            this.#out.delete(number);
            if (body !== undefined) {
                this.#done.set(this.#pages[number] as SitePage, body);
            }
        }
        if (!thread.isAlive) {
            this.#out.clear();
            return;
        }
        while (this.#out.size + pagesOfABatch <= maxOut) {
            const batch: BodyRequest[] = [];
            for (let next; batch.length < pagesOfABatch && (next = this.#next(asked)) !== undefined;) {
                const { file, route, source, meta } = this.#pages[next] as SitePage;
                batch.push({ number: next, page: { file, route, source, meta } });
                this.#out.add(next);
            }
            if (batch.length === 0) {
                return;
            }
            thread.give(batch);
        }
    }

    #renderHere(number: number): void {
        const page = this.#pages[number] as SitePage;
        try {
            this.#done.set(page, renderBody(page, this.#context));
        } catch {
            // The error is thrown to whoever asks for the page, in the order of the pages.
        }
    }

    /** The next page behind the one that is asked for, if it is not too far ahead. */
    #next(asked: number): number | undefined {
        for (;;) {
            const next = this.#candidates[this.#begun];
            if (next === undefined || next > asked + maxAhead) {
                return undefined;
            }
            this.#begun += 1;
            if (next > asked && isShallow((this.#pages[next] as SitePage).source)) {
                return next;
            }
        }
    }
}

function isShallow(source: string): boolean {
    return (source.match(nestingCharacters)?.length ?? 0) <= maxNesting;
}
